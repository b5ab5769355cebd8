import { whoHasKey, type Actor, type Authenticated } from '@account-import/core'

/** What the record calls a client. */
export const actorOf = ({ apiKeyId, keyName }: Authenticated, requestId: string): Actor => ({
  who: whoHasKey(apiKeyId, keyName),
  requestId,
})
