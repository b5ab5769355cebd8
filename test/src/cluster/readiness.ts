import { until } from '../servers/index.js'
import type { Service } from './services.js'

/** `ready`, or why it is not, as `/readyz` says of the database. */
const readinessOf = async ({ address }: Service): Promise<string> => {
  const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(10_000) })
  const { checks } = (await answer.json()) as { checks: { database: { state: string; code?: string } } }
  return answer.status === 200 ? 'ready' : String(checks.database.code)
}

/** Resolves when each of the servers says `wanted` of itself, in turn: `ready`, or a code of the database. */
export const untilAllSay = async (
  services: readonly Service[],
  wanted: string,
  mostMilliseconds = 30_000,
): Promise<void> => {
  for (const service of services) {
    let said = ''
    const says = async (): Promise<boolean> => {
      said = await readinessOf(service)
      return said === wanted
    }
    try {
      await until(says, `/readyz says ${wanted}`, mostMilliseconds)
    } catch (cause) {
      throw new Error(`/readyz of ${service.address} said ${said} in the end, not ${wanted}`, { cause })
    }
  }
}
