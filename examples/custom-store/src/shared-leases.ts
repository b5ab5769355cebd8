import { type Leases, portCall } from '@account-import/core'
import type { Access } from './turns.js'

const call = portCall('leases')

/** One process has the file, so this keeps its own jobs apart, and those of a process before it that died. */
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
