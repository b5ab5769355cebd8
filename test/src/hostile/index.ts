export { hostileBodies } from './bodies.js'
export { threadMilliseconds } from './loop-time.js'
export { measureBody, type Measured } from './measure.js'
