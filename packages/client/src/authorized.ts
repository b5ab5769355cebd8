import { isFailure, send } from './exchange.js'
import type { Failure } from './result.js'
import type { TokenKeeper } from './token-keeper.js'

/** Sends a request with the kept token; one that is refused is renewed once. The body has to be one that can be sent again. */
export type Authorized = (url: string, init: RequestInit) => Promise<Response | Failure>

export const makeAuthorized = (fetch: typeof globalThis.fetch, keeper: TokenKeeper): Authorized => {
  const attempt = async (url: string, init: RequestInit, again: boolean): Promise<Response | Failure> => {
    const token = await keeper.token()
    if (typeof token !== 'string') return token
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Token ${token}` }
    const response = await send(fetch, url, { ...init, headers })
    if (!again || isFailure(response) || response.status !== 401) return response
    // Nobody reads this answer; its connection is free for the next request.
    await response.body?.cancel().catch(() => undefined)
    keeper.discard(token)
    return attempt(url, init, false)
  }
  return (url, init) => attempt(url, init, true)
}
