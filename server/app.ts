/**
 * The composition root: the only file that wires stores, services and ways in. No rule of the product stands here. Long because
 * it is a list: whoever asks what a service is given finds the answer in one place.
 */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createNotificationCarrier } from './database/notifications';
import type { OpenedDatabase } from './database/open';
import { createUnitOfWork } from './database/transaction';
import { createAfterTurn } from './domains/agent/after-turn';
import { createAttachments } from './domains/agent/attachments';
import { createCompactor } from './domains/agent/compactor';
import { createContextService } from './domains/agent/context-service';
import { createContextGate } from './domains/agent/gate';
import { createLoop } from './domains/agent/loop';
import { createPlanNotices } from './domains/agent/plan-notices';
import { createPlanning } from './domains/agent/planning/planning';
import { createPlanningStore } from './domains/agent/planning/planning-store';
import { createReadImages } from './domains/agent/read-images';
import { RunAborted } from './domains/agent/run';
import { createRunner } from './domains/agent/runner';
import { createAgentService } from './domains/agent/service';
import { createSnapshotReader } from './domains/agent/snapshot';
import { createAgentStore } from './domains/agent/store';
import { asSubagent, SPAWN_TOOL } from './domains/agent/subagents/as-subagent';
import { createSubagents } from './domains/agent/subagents/subagents';
import { createSwitching } from './domains/agent/switching';
import { createToolCallRunner } from './domains/agent/tool-calls';
import { createDefaultTools } from './domains/agent/tools/default-tools';
import { createFilePlaces } from './domains/agent/tools/file-places';
import { createImageViewTool } from './domains/agent/tools/image-view-tool';
import { createMemoryTools } from './domains/agent/tools/memory-tools';
import { createPlanTools } from './domains/agent/tools/plan-tools';
import { createProtocolTool } from './domains/agent/tools/protocol';
import { createToolRegistry } from './domains/agent/tools/registry';
import { selectTools } from './domains/agent/tools/select-tools';
import { createShareTools } from './domains/agent/tools/share-tools';
import { createSpawnAgentTool } from './domains/agent/tools/spawn-agent';
import { createTodoTool } from './domains/agent/tools/todo';
import type { Tool } from './domains/agent/tools/types';
import { createTurns } from './domains/agent/turns';
import { createImagePrices } from './domains/compression/engine/image-price';
import { createCompressionService } from './domains/compression/service';
import { createCompressionStore } from './domains/compression/store';
import { createFileCleanUp } from './domains/files/clean-up';
import { createSessionDisk } from './domains/files/disk';
import { createFileService } from './domains/files/service';
import { createSessionFolder } from './domains/files/session-folder';
import { createFileStore } from './domains/files/store';
import { createImageVariants, type ImageVariants } from './domains/files/variants';
import { createWorkspace } from './domains/files/workspace/workspace';
import { createKvService } from './domains/kv/service';
import { createKvStore } from './domains/kv/store';
import { createEmbeddingStore } from './domains/memory/embedding-store';
import { messageText } from './domains/memory/engine/chunk';
import { createMemoryService } from './domains/memory/service';
import { createMemoryStore } from './domains/memory/store';
import { createBranchStore } from './domains/messages/branch-store';
import { createMessageService } from './domains/messages/service';
import { createMessageStore } from './domains/messages/store';
import { builtInProfiles } from './domains/profiles/built-in';
import type { Profile } from './domains/profiles/schema';
import { createProfileService } from './domains/profiles/service';
import { createSessionService } from './domains/sessions/service';
import { createSessionStore } from './domains/sessions/store';
import { createShareService } from './domains/shares/service';
import { createShareStore } from './domains/shares/store';
import { createLegacyMove } from './domains/todos/legacy-store';
import { createPlanAccess } from './domains/todos/plan-access';
import { createProtocolLibrary } from './domains/todos/protocol-library';
import { createProtocolService } from './domains/todos/protocol-service';
import { createProtocolStore } from './domains/todos/protocol-store';
import { createTodoService } from './domains/todos/service';
import { createTodoStore } from './domains/todos/store';
import { createUserStore } from './domains/users/store';
import type { Env } from './env';
import { createBus } from './events/bus';
import { createDeltaWriter } from './events/delta-writer';
import { createEventFeed } from './events/feed';
import { createEventLog } from './events/log';
import { createEventStore } from './events/store';
import { cleanUpJob, createCleanUp } from './jobs/clean-up';
import { createFileCleanUpJob, fileCleanUpJob } from './jobs/file-clean-up';
import { createMemoryUpkeep, memoryUpkeepJob } from './jobs/memory-upkeep';
import { startJobs } from './jobs/runner';
import type { Clock } from './lib/clock';
import { newId, newToken } from './lib/ids';
import { anonymous, type Person } from './lib/person';
import { findProjectRoot } from './lib/project-root';
import { createGuardedFetch, type GuardedFetch } from './lib/web/guarded-fetch';
import type { CallModel, ModelRegistry } from './providers/types';
import type { Services } from './trpc/context';

export interface AppDependencies {
  env: Env;
  database: OpenedDatabase;
  models: ModelRegistry;
  callModel: CallModel;
  /** Instead of the tools that every Navi has. */
  tools?: Tool[];
  /** Instead of the built-in profiles. */
  profiles?: readonly Profile[];
  clock: Clock;
  logger: Logger;
  /** Milliseconds that a run's lease lasts without a heartbeat; the environment's by default. */
  leaseMs?: number;
  /** False in tests that call the jobs' work themselves. */
  hasJobs?: boolean;
  /** Sees every unexpected error, beside the log. */
  onUnexpected?: (error: unknown) => void;
}

export interface App {
  services: Services;
  /** The public web, guarded; for what people ask the server to fetch. */
  web: Pick<GuardedFetch, 'get'>;
  /** Small pictures of session files, for plain HTTP. */
  images: Pick<ImageVariants, 'openThumbnail'>;
  /** Logs an unexpected error once; answers the id that people are told. */
  reportUnexpected(error: unknown): string;
  close(): Promise<void>;
}

export async function createApp(dependencies: AppDependencies): Promise<App> {
  const { env, database, models, callModel, clock, logger, leaseMs = env.NAVI_RUN_LEASE_MS } = dependencies;
  const { prisma } = database;
  const workerId = newId();
  const reportUnexpected = (error: unknown): string => {
    const requestId = newId().slice(0, 8);
    logger.error({ err: error, requestId }, 'unexpected error');
    dependencies.onUnexpected?.(error);
    return requestId;
  };

  const carrier =
    database.engine === 'postgres'
      ? await createNotificationCarrier({
          url: database.url,
          pool: database.pool,
          workerId,
          onError: (error) => logger.warn({ err: error }, 'notifications'),
        })
      : undefined;
  const bus = createBus(carrier);
  const unitOfWork = createUnitOfWork(database, { reportUnexpected });
  const eventStore = createEventStore(prisma);
  const events = createEventLog({ store: eventStore, bus });
  const deltas = createDeltaWriter({ log: events, onError: (error) => logger.error({ err: error }, 'writing events') });

  await createUserStore(prisma).ensure(anonymous.userId);

  const profiles = createProfileService({ profiles: dependencies.profiles ?? builtInProfiles });
  const modelFor = (session: { model: string | null; profileId: string }) => {
    const chosen = session.model ?? profiles.of(session.profileId).model;
    return chosen === null ? models.defaultModel() : models.resolve(chosen);
  };
  const windowOf = async (session: { model: string | null; profileId: string }) =>
    (await modelFor(session)).windowTokens(profiles.of(session.profileId).contextWindowTokens);

  /** For what is measured between runs; a run has its own, which knows its depth. */
  const profileOf = (session: { profileId: string; parentId: string | null }) =>
    asSubagent(profiles.of(session.profileId), session.parentId === null ? 0 : 1);
  const sessions = createSessionService({
    store: createSessionStore(prisma),
    unitOfWork,
    events,
    clock,
    newId,
    windowOf,
    checkProfile: profiles.get,
    stopRuns: (sessionId) => agent.stopRuns(sessionId),
    onOwnerChange: async (tx, sessionId, userId) => {
      await todos.changeOwner(tx, sessionId, userId);
      await kvStore.changeOwner(sessionId, userId, tx);
    },
    onPurge: (tx, sessionId) => kvStore.removeSession(sessionId, tx),
  });
  const messages = createMessageService({
    store: createMessageStore(prisma),
    branches: createBranchStore(prisma),
    sessions,
    unitOfWork,
    events,
    newId,
    prepareFork: (fromSessionId, toSessionId) => files.prepareFork(fromSessionId, toSessionId),
    onFork: (tx, fork) => compressions.onFork(tx, fork),
    afterFork: (sessionId) => compactor.refreshMeter(sessionId),
    readPlan: (sessionId) => todos.load(sessionId),
    hotWindow: env.NAVI_SESSION_MESSAGES_WINDOW,
  });

  const disk = createSessionDisk({ dataDir: env.NAVI_DATA_DIR });
  const fileStore = createFileStore(prisma);
  const files = createFileService({
    store: fileStore,
    disk,
    sessions,
    unitOfWork,
    events,
    clock,
    newId,
    maxUploadBytes: env.NAVI_SESSION_FILES_MAX_SIZE_MB * 1024 * 1024,
  });
  const images = createImageVariants({ disk });
  const shares = createShareService({
    store: createShareStore(prisma),
    sessions,
    messages,
    profiles,
    unitOfWork,
    clock,
    newToken,
    openFile: files.openForReading,
    openThumbnail: async (sessionId, fileId) => {
      const [file] = await files.findMany(sessionId, [fileId]);
      const handle = file === undefined ? null : await images.openThumbnail(file);
      if (file === undefined || handle === null) return null;
      return { file: { ...file, mimeType: 'image/webp', sizeBytes: (await handle.stat()).size }, handle };
    },
  });

  const kvStore = createKvStore({ prisma });
  const kv = createKvService<Person>({
    store: kvStore,
    findSessionOwner: async (person, sessionId) => (await sessions.authorise(person, sessionId)).userId,
    userIdOf: (person) => person.userId,
  });
  const moveLegacyPlans = createLegacyMove({
    prisma,
    unitOfWork,
    report: (problem) => logger.warn(problem, 'a plan of an older version stays where it is'),
  });
  const todos = createTodoService({
    store: createTodoStore(prisma, { moveLegacyPlans }),
    sessions,
    unitOfWork,
    events,
    clock,
  });
  const plans = createPlanAccess({ todos, clock });
  const memory = createMemoryService({
    store: createMemoryStore(prisma),
    embeddings: createEmbeddingStore(prisma),
    sessions,
    messages,
    kv: kvStore,
    clock,
    settings: {
      isSearchEnabled: env.NAVI_MEMORY_SEARCH_ENABLED,
      isRecallEnabled: env.NAVI_MEMORY_RECALL_ENABLED && env.NAVI_MEMORY_SEARCH_ENABLED,
      recallK: env.NAVI_MEMORY_RECALL_K,
      recallMinSimilarity: env.NAVI_MEMORY_RECALL_MIN_SIMILARITY,
    },
    embedder: () => models.embedder(),
    reportUnexpected,
  });
  const onUnreadable = ({ error, ...problem }: { sessionId: string; fileId: string; error: unknown }) =>
    logger.warn({ err: error, event: 'agent.image_read_failed', ...problem }, 'an image is left out');
  const imageTokens = createImagePrices(env.NAVI_CONTEXT_IMAGE_TOKENS);
  const agentStore = createAgentStore(prisma);
  const compressions = createCompressionService({
    store: createCompressionStore(prisma),
    sessions,
    messages,
    memory,
    findStop: async (tx, runId) => ((await agentStore.isStopRequested(tx, runId)) ? new RunAborted('stop') : null),
    unitOfWork,
    events,
    callModel,
    clock,
    newId,
    settings: {
      isEnabled: env.NAVI_CONTEXT_COMPRESSION_ENABLED,
      thresholdShare: env.NAVI_CONTEXT_COMPRESSION_THRESHOLD,
      targetShare: env.NAVI_CONTEXT_COMPRESSION_TARGET,
      keepRecentTurns: env.NAVI_CONTEXT_KEEP_RECENT,
      summaryTemperature: env.NAVI_CONTEXT_SUMMARY_TEMPERATURE,
      summaryMaxTokens: env.NAVI_CONTEXT_SUMMARY_MAX_TOKENS,
      outputReserveTokens: env.NAVI_OUTPUT_RESERVE_TOKENS,
      messageBudgetTokens: env.NAVI_CONTEXT_MESSAGE_TOKEN_BUDGET,
      imageTokens: env.NAVI_CONTEXT_IMAGE_TOKENS,
    },
    imageTokens,
    readImages: createReadImages({ files, images, onUnreadable }),
    reportUnexpected,
  });

  const web = createGuardedFetch();
  const workspace = createWorkspace({ dataDir: env.NAVI_DATA_DIR });
  const sessionFolder = createSessionFolder(files);
  const places = createFilePlaces(sessions);
  const protocols = createProtocolService({
    store: createProtocolStore(prisma),
    library: createProtocolLibrary({ builtInFolder: join(findProjectRoot(), 'protocols'), workspace }),
    todos,
    sessions,
    unitOfWork,
    events,
    newId,
  });
  const tools = createToolRegistry([
    ...(dependencies.tools ?? createDefaultTools({ workspace, sessionFolder, places, kv: kvStore, web })),
    ...createShareTools({
      files,
      sessionFolder,
      places,
      workspace,
      roots: env.NAVI_SHARE_FILE_ROOTS,
      maxBytes: env.NAVI_SHARE_FILE_MAX_SIZE_MB * 1024 * 1024,
    }),
    createImageViewTool({ files, sessionFolder, places, workspace }),
    createTodoTool(plans),
    ...createPlanTools(plans),
    createProtocolTool(protocols),
    createSpawnAgentTool({ subagents: { run: (task) => subagents.run(task) }, profiles: profiles.list() }),
    ...(env.NAVI_MEMORY_SEARCH_ENABLED
      ? createMemoryTools({
          search: async (sessionId, input) => {
            const session = await sessions.findAny(sessionId);
            return session === null ? [] : memory.searchIn(session, { ...input, sessionId });
          },
          read: async (at, { sessionId, fromSeq, toSeq, limit }) => {
            const session = await sessions.findAny(sessionId);
            if (session === null || (sessionId !== at.sessionId && session.userId !== at.userId)) return null;
            return (await messages.readSpan(sessionId, fromSeq, toSeq, limit)).map((message) => ({
              ...message,
              text: messageText(message),
            }));
          },
        })
      : []),
  ]);
  const settings = {
    maxSteps: env.NAVI_MAX_STEPS,
    switchedOnTools: env.NAVI_RUN_COMMAND_ENABLED ? ['run_command'] : [],
  };
  const toolCalls = createToolCallRunner({
    store: agentStore,
    sessions,
    messages,
    unitOfWork,
    events,
    deltas,
    bus,
    tools,
    clock,
    settings,
    reportUnexpected,
  });
  const attachments = createAttachments({
    files,
    images,
    imageTokens,
    messages,
    unitOfWork,
    events,
    onUnreadable,
  });
  const gate = createContextGate({
    compressions,
    memory,
    attachments,
    sessions,
    messages,
    unitOfWork,
    events,
    newId,
  });
  const planNotices = createPlanNotices({ todos, store: agentStore, processStartedAt: clock.now() });
  const planning = createPlanning({
    store: createPlanningStore(prisma),
    planNotices,
    sessions,
    messages,
    todos,
    unitOfWork,
    events,
    deltas,
    callModel,
    clock,
    gate,
    attachments,
    executorsOf: (profile) => {
      const names = selectTools(tools, profile, settings.switchedOnTools).map((tool) => tool.name);
      return { tools: names, agents: names.includes(SPAWN_TOOL) ? profiles.list() : [] };
    },
  });
  const loop = createLoop({
    gate,
    attachments,
    meter: compressions.meter,
    planNotices,
    planning,
    store: agentStore,
    sessions,
    messages,
    unitOfWork,
    events,
    deltas,
    callModel,
    tools,
    toolCalls,
    settings,
  });
  const turns = createTurns({
    store: agentStore,
    sessions,
    messages,
    files,
    events,
    bus,
    compressions,
    profileOf: (session, depth) => asSubagent(profiles.of(session.profileId), depth),
    workerId,
    leaseMs,
    newId,
  });
  const compactor = createCompactor({
    store: agentStore,
    sessions,
    compressions,
    turns,
    unitOfWork,
    events,
    tools,
    profileOf,
    settings,
    modelFor,
    peekNotices: planNotices.peek,
    newId,
  });
  const runner = createRunner({
    store: agentStore,
    turns,
    loop,
    compactor,
    unitOfWork,
    eventStore,
    deltas,
    bus,
    clock,
    workerId,
    leaseMs,
    modelOf: async (sessionId) =>
      modelFor((await sessions.findAny(sessionId)) ?? { model: null, profileId: 'default' }),
    afterTurn: createAfterTurn({ sessions, messages, unitOfWork, events, callModel, compactor, compressions }),
    reportUnexpected,
  });
  const agent = createAgentService({
    store: agentStore,
    sessions,
    messages,
    files,
    unitOfWork,
    events,
    turns,
    runner,
    models,
    modelFor,
    compressions,
    compactor,
  });
  const context = createContextService({
    store: agentStore,
    sessions,
    messages,
    compressions,
    compactor,
    attachments,
    runner,
    unitOfWork,
    clock,
    profileOf,
    modelFor,
    peekNotices: planNotices.peek,
  });
  const switching = createSwitching({
    sessions,
    messages,
    profiles,
    models,
    unitOfWork,
    events,
    windowOf,
    measure: async (session) => {
      const { estimate } = await compressions.read(await compactor.subjectOf(session, await modelFor(session)));
      return { contextTokenCount: estimate.tokens, contextTokenSource: estimate.source };
    },
  });
  const feed = createEventFeed({
    bus,
    store: eventStore,
    authorise: async (person, sessionId) => {
      await sessions.authorise(person, sessionId);
    },
    takeSnapshot: createSnapshotReader({ store: agentStore, eventStore, sessions, messages, compressions, unitOfWork }),
    findListItem: sessions.findListItem,
  });

  const subagents = createSubagents({ sessions, messages, profiles, feed, agent, unitOfWork, events, clock, newId });

  // The embedded engine's folder is locked by this process: whoever held a lease in it is dead.
  if (database.engine === 'embedded') await agentStore.expireAll();
  const fileCleanUp = createFileCleanUp({
    store: fileStore,
    disk,
    now: () => clock.now(),
    onForeignFolder: () =>
      logger.warn({ folder: disk.root }, 'these session files belong to another database; none is cleaned up'),
  });
  if (dependencies.hasJobs !== false) await fileCleanUp.mark();
  runner.open();
  const jobs =
    dependencies.hasJobs === false
      ? null
      : startJobs(
          database,
          [
            {
              definition: cleanUpJob,
              handler: createCleanUp({
                sessions,
                events: eventStore,
                removeFiles: disk.removeSession,
                now: () => clock.now(),
              }),
            },
            { definition: fileCleanUpJob, handler: createFileCleanUpJob({ files: fileCleanUp }) },
            { definition: memoryUpkeepJob, handler: createMemoryUpkeep({ compressions, memory }) },
          ],
          reportUnexpected,
        );
  // Nobody waits for the queue: a start that fails is told in the log, and jobs of other workers go on.
  jobs?.catch(reportUnexpected);

  let closing: Promise<void> | null = null;
  async function end(): Promise<void> {
    await jobs?.then((started) => started.close()).catch(reportUnexpected);
    await runner.close();
    await deltas.close();
    await bus.close();
    models.close();
    await web.close();
    await database.close();
  }

  return {
    services: {
      sessions,
      messages,
      agent,
      planning,
      profiles,
      switching,
      models,
      files,
      kv,
      todos,
      protocols,
      compressions,
      memory,
      shares,
      context,
      feed,
    },
    web,
    images,
    reportUnexpected,
    // The same end for everybody who asks for it: a signal and a failure may both do so.
    close: () => (closing ??= end()),
  };
}
