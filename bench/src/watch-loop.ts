import { threadMilliseconds } from '@account-import/test/hostile'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * What the event loop of a server did, in milliseconds. `delay`: the longest that nothing else could be done, by the
 * clock, so that a busy machine lengthens it. `busy`: time of the processor that the thread took, in all.
 */
export type Blocking = Readonly<{ delay: number; busy: number }>

// Loaded into a server that is watched: answers each message with what its event loop did since the last one.
const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()

let before = threadMilliseconds()

process.on('message', () => {
  const now = threadMilliseconds()
  const blocking: Blocking = { delay: delays.max / 1_000_000, busy: now - before }
  process.send?.(blocking)
  delays.reset()
  before = now
})
// The channel alone keeps no process running.
process.channel?.unref()
