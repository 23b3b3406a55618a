/** The demo's scenarios in the order in which they are asked; the last one answers everything. */
import type { Scenario } from '../turn';
import { artifacts, attachments } from './artifacts';
import { command } from './command';
import { failure } from './failure';
import { fetchPage } from './fetch-page';
import { listFiles, readFile, searchFiles, writeFile } from './files';
import { fillContext } from './fill-context';
import { diagram, general } from './general';
import { greeting } from './greeting';
import { longAnswer } from './long-answer';
import { longThought } from './long-thought';
import { multiStep } from './multi-step';
import { naming } from './naming';
import { note } from './note';
import { planWork } from './plan-work';
import { planning } from './planning';
import { summary } from './summary';
import { time } from './time';

export const scenarios: readonly Scenario[] = [
  summary,
  naming,
  planning,
  failure,
  planWork,
  fillContext,
  artifacts,
  attachments,
  multiStep,
  fetchPage,
  command,
  longAnswer,
  longThought,
  writeFile,
  searchFiles,
  readFile,
  listFiles,
  note,
  time,
  diagram,
  greeting,
  general,
];
