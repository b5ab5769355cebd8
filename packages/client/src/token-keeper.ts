import type { ObtainedToken, ObtainTokenInput } from '@account-import/http-contract'
import type { Failure } from './result.js'

type Kept = Readonly<{ obtained: ObtainedToken; at: number }>

/** Renewed so long before its end, for the time that requests are under way. */
const marginMilliseconds = 60_000
/** A token just obtained is used even when this machine's clock runs ahead and takes it for expired. */
const graceMilliseconds = 30_000

const isFresh = ({ obtained, at }: Kept, now: number): boolean =>
  now < Date.parse(obtained.expiresAt) - marginMilliseconds || now - at < graceMilliseconds

export type TokenKeeper = Readonly<{
  /** A token that is still good; several callers at once share one renewal. */
  token: () => Promise<string | Failure>
  /** The service says that this token has expired. */
  discard: (token: string) => void
}>

/** Keeps the token of one API key, and renews it in time: by its refresh token, else by the key. */
export const makeTokenKeeper = (
  apiKey: string,
  obtain: (input: ObtainTokenInput) => Promise<ObtainedToken | Failure>,
): TokenKeeper => {
  let kept: Kept | undefined
  let refreshToken: string | undefined
  let renewal: Promise<string | Failure> | undefined

  const renewed = async (): Promise<ObtainedToken | Failure> => {
    if (refreshToken === undefined) return obtain({ apiKey })
    const refreshed = await obtain({ refreshToken })
    return 'ok' in refreshed && refreshed.status === 401 ? obtain({ apiKey }) : refreshed
  }

  const renew = async (): Promise<string | Failure> => {
    const obtained = await renewed()
    if ('ok' in obtained) return obtained
    kept = { obtained, at: Date.now() }
    refreshToken = obtained.refreshToken
    return obtained.token
  }

  return {
    token: async () => {
      if (kept !== undefined && isFresh(kept, Date.now())) return kept.obtained.token
      renewal ??= renew().finally(() => {
        renewal = undefined
      })
      return renewal
    },
    discard: (token) => {
      if (kept?.obtained.token === token) kept = undefined
    },
  }
}
