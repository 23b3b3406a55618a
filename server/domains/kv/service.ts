export interface KvService {
  get(userId: string | null, sessionId: string, scope: string, key: string): Promise<string | null>;
}
