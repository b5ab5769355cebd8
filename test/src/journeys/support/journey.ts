import type { ExecutionContext } from 'ava'
import type { World, WorldOptions } from './world.js'

/** The body of a test, on any backend. `open` makes a world of the test's own. */
export type Journey = Readonly<{
  title: string
  run(t: ExecutionContext, open: (options?: WorldOptions) => Promise<World>): Promise<void>
}>
