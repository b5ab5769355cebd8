import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** A client of the service; owns API keys and import suppliers. */
export type Organisation = Readonly<{ code: string; name: string; createdAt: Instant }>

export interface Organisations {
  create(organisation: Organisation): PortResult<'created' | 'code_taken'>
  find(code: string): PortResult<Organisation | undefined>
  /** All, in order of code. */
  list(): PortResult<readonly Organisation[]>
}
