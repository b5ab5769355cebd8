import { type Leases, portCall } from '@account-import/core'
import type { Access } from './turns.js'

const call = portCall('leases')

/** One process uses the file, so a lease only separates its own jobs, and those of a crashed process before it. */
export const sharedLeases = ({ change }: Access): Leases => ({
  take: ({ job, token, at, endsAt }) =>
    call('take', () =>
      change((view) => {
        const last = view.get('leases', job)
        if (last !== undefined && last.token !== token && last.endsAt > at) return false
        view.put('leases', job, { token, endsAt })
        return true
      }),
    ),
})
