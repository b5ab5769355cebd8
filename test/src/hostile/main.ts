import { hostileBodies } from './bodies.js'
import { measureBody } from './measure.js'
import { slowness } from './slowness.js'

const timesSlower = slowness()

/** A body that takes longer than this is validated again, as the processor may have been slow. */
const patienceMilliseconds = 600 * timesSlower

// In a process of its own: tests run beside each other, and what is compiled for one body helps another.
for (const [name, make] of Object.entries(hostileBodies))
  console.log(JSON.stringify({ name, timesSlower, ...measureBody(make(), 1, patienceMilliseconds) }))
