import type { RawApi } from './raw-api.js'

/** An access token for the key. */
export const tokenOf = async (raw: RawApi, apiKey: string): Promise<string> => {
  const obtained = await raw.obtain({ apiKey })
  if (typeof obtained === 'string') throw new Error(`No token: ${obtained}`)
  return obtained.token
}
