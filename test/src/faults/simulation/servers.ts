import { makeUseCases, type Ports, type UseCases } from '@account-import/core'
import type { Scheduler } from 'fast-check'
import { failedAnswer, interceptedPorts, noAnswer, type Around } from '../../support/intercepted-ports.js'
import type { Plan } from './plan.js'

/** A server process; after a call that never answers it is gone, with all that it was asked. */
export type Server = Readonly<{ useCases: UseCases; died: Promise<void>; isDead(): boolean }>

export type Servers = Readonly<{
  /** The one that serves the client now. */
  of(client: number): Server
  /** Faults that have happened. */
  injected(): number
}>

const atOneTime = 2

/**
 * Two servers on the same ports. Before each call of a port, and before its answer arrives, the scheduler decides what
 * goes on; the calls that the plan names go wrong. A server that is gone is replaced at once.
 */
export const startServers = (ports: Ports, scheduler: Scheduler, { faults }: Plan): Servers => {
  const planned = new Map(faults.map(({ nth, fault }) => [nth, fault]))
  let calls = 0
  let injected = 0
  const start = (): Server => {
    let isDead = false
    let die = (): void => undefined
    const died = new Promise<void>((resolve) => (die = resolve))
    const around: Around = async (call, effect) => {
      const nth = (calls += 1)
      const label = `${nth} ${call.port}.${call.operation}`
      await scheduler.schedule(Promise.resolve(), label)
      if (isDead) return noAnswer
      const fault = planned.get(nth)
      if (fault !== undefined) injected += 1
      const answer = fault?.moment === 'before' ? noAnswer : await effect()
      // Nobody else can do anything between two calls of a unit of work that the answer of a call would tell.
      if (!call.isInUnitOfWork) await scheduler.schedule(Promise.resolve(), `${label} answers`)
      if (isDead) return noAnswer
      if (fault === undefined) return answer
      if (fault.ending !== 'no answer') return failedAnswer(call, fault.ending)
      isDead = true
      die()
      return noAnswer
    }
    return { useCases: makeUseCases(interceptedPorts(ports, around)), died, isDead: () => isDead }
  }
  const servers = Array.from({ length: atOneTime }, start)
  return {
    of: (client) => {
      const place = client % atOneTime
      const current = servers[place]
      if (current !== undefined && !current.isDead()) return current
      return (servers[place] = start())
    },
    injected: () => injected,
  }
}
