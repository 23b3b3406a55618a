import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Route, Switch } from 'wouter';
import { ErrorBoundary } from '../components/error-boundary';
import { SharesProvider } from '../features/shares/shares-provider';
import { ConnectionContext } from '../lib/connection-status';
import { type Connection, TRPCProvider } from '../lib/trpc';
import { NewChatRoute } from './routes/new-chat-route';
import { NotFoundRoute } from './routes/not-found-route';
import { PlanningRoute } from './routes/planning-route';
import { SessionRoute } from './routes/session-route';
import { Shell } from './shell';

interface AppProps {
  connection: Connection;
  queryClient: QueryClient;
}

/** Providers and routes. */
export function App({ connection, queryClient }: AppProps) {
  return (
    <ErrorBoundary what="Navi">
      <ConnectionContext.Provider value={connection}>
        <QueryClientProvider client={queryClient}>
          <TRPCProvider trpcClient={connection.client} queryClient={queryClient}>
            <SharesProvider>
              <Shell>
                <Switch>
                  <Route path="/" component={NewChatRoute} />
                  <Route path="/s/:sessionId">
                    {({ sessionId }) => <SessionRoute key={sessionId} sessionId={sessionId} />}
                  </Route>
                  <Route path="/s/:sessionId/planning">
                    {({ sessionId }) => <PlanningRoute key={sessionId} sessionId={sessionId} />}
                  </Route>
                  <Route component={NotFoundRoute} />
                </Switch>
              </Shell>
            </SharesProvider>
          </TRPCProvider>
        </QueryClientProvider>
      </ConnectionContext.Provider>
    </ErrorBoundary>
  );
}
