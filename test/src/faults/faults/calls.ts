import type { Ports } from '@account-import/core'
import { failedAnswer, interceptedPorts, noAnswer, type Around } from '../../support/intercepted-ports.js'

/**
 * The faults of one call of a port: it fails before or after its effect, or it never answers. The caller of a commit that fails
 * after its effect does not know the outcome.
 */
export type CallFault = Readonly<{
  moment: 'before' | 'after'
  ending: 'unavailable' | 'unexpected' | 'no answer'
}>

const moments = ['before', 'after'] as const
const endings = ['unavailable', 'unexpected', 'no answer'] as const

export const everyCallFault: readonly CallFault[] = moments.flatMap((moment) =>
  endings.map((ending) => ({ moment, ending })),
)

export const faultName = ({ moment, ending }: CallFault): string => `${ending} ${moment} its effect`

export type FaultyPorts = Readonly<{
  ports: Ports
  /** The call that failed, if the run had this number of calls. */
  hit(): string | undefined
  /** Resolves when a call that never answers was made. */
  hung: Promise<void>
  /** Resolves when no call is running, including those that are not awaited. */
  quiet(): Promise<void>
}>

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** More than the turns between the answer of a call and the next call, also of a server without its client. */
export const turnsWithoutCalls = 5

/** Ports whose `nth` call overall fails, in any port. */
export const nthCallFails = (ports: Ports, nth: number, { moment, ending }: CallFault): FaultyPorts => {
  let calls = 0
  let going = 0
  let hit: string | undefined
  let hang = (): void => undefined
  const hung = new Promise<void>((resolve) => (hang = resolve))
  const around: Around = async (call, effect) => {
    calls += 1
    going += 1
    try {
      if (calls !== nth) return await effect()
      hit = `${call.port}.${call.operation}`
      if (moment === 'after') await effect()
      if (ending !== 'no answer') return failedAnswer(call, ending)
      hang()
      return noAnswer
    } finally {
      going -= 1
    }
  }
  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < turnsWithoutCalls; turns += 1) {
      if (going > 0) turns = 0
      await turn()
    }
  }
  return { ports: interceptedPorts(ports, around), hit: () => hit, hung, quiet }
}
