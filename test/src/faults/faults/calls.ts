import type { Ports } from '@account-import/core'
import { failedAnswer, interceptedPorts, noAnswer, type Around } from '../../support/intercepted-ports.js'

/**
 * How one call of a port goes wrong: before or after it has had its effect it fails, or it never answers. A commit that
 * fails after its effect is one whose outcome its caller does not know.
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
  /** The call that was made to fail, if there were so many. */
  hit(): string | undefined
  /** Resolves when a call was made that never answers. */
  hung: Promise<void>
  /** Resolves when no call is going on any more, those that nobody waits for included. */
  quiet(): Promise<void>
}>

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** More than the turns that may pass between the answer of a call and the next call, also of a server whose client is gone. */
export const turnsWithoutCalls = 5

/** Ports of which the `nth` call overall goes wrong, wherever it is made. */
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
