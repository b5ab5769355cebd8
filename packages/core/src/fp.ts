/** The only import of fp-ts: all other files of this repository import these names from here. */
import * as E from 'fp-ts/lib/Either.js'

export { E }
export { pipe } from 'fp-ts/lib/function.js'
export { type Either } from 'fp-ts/lib/Either.js'
