import { portCall } from '../ports/port-failure.js'
import type { Lease, Leases } from '../ports/leases.js'

export const inMemoryLeases = (): Leases => {
  const held = new Map<string, Pick<Lease, 'token' | 'endsAt'>>()
  const call = portCall('leases')
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
