import { portCall } from '../ports/port-failure.js'
import type { Turn, Turns } from '../ports/turns.js'

export const inMemoryTurns = (): Turns => {
  const held = new Map<string, Pick<Turn, 'token' | 'endsAt'>>()
  const call = portCall('turns')
  return {
    take: ({ job, token, at, endsAt }) =>
      call('take', async () => {
        const last = held.get(job)
        if (last !== undefined && last.token !== token && last.endsAt > at) return false
        held.set(job, { token, endsAt })
        return true
      }),
  }
}
