import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** A client of the service; owns API keys and import suppliers. */
export type Organisation = Readonly<{
  code: string
  name: string
  createdAt: Instant
  /** Since when none of its keys and tokens works; undefined for one that is enabled. */
  disabledAt: Instant | undefined
}>

export interface Organisations {
  create(organisation: Organisation): PortResult<'created' | 'code_taken'>
  find(code: string): PortResult<Organisation | undefined>
  /** False when there is no such organisation. One that is disabled already keeps its first time. */
  disable(code: string, at: Instant): PortResult<boolean>
  /** False when there is no such organisation. */
  enable(code: string): PortResult<boolean>
  /** All, in order of code. */
  list(): PortResult<readonly Organisation[]>
}
