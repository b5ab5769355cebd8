// The use cases for programs that work with fp-ts: each answers a promise of an `Either`.
export { E, pipe, type Either } from './fp.js'
export { makeUseCases, type UseCases } from './service/use-cases.js'
