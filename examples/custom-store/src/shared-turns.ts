import { portCall, type Turns } from '@account-import/core'
import type { Access } from './turns.js'

const call = portCall('turns')

/** One process has the file, so this keeps its own jobs apart, and those of a process before it that died. */
export const sharedTurns = ({ change }: Access): Turns => ({
  take: ({ job, token, at, endsAt }) =>
    call('take', () =>
      change((view) => {
        const last = view.get('turns', job)
        if (last !== undefined && last.token !== token && last.endsAt > at) return false
        view.put('turns', job, { token, endsAt })
        return true
      }),
    ),
})
