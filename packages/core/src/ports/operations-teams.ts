import type { PortResult } from './port-failure.js'

/** Named teams that accounts are created under; shared by all organisations. Names are compared exactly. */
export interface OperationsTeams {
  create(name: string): PortResult<'created' | 'name_taken'>
  exists(name: string): PortResult<boolean>
  /** All names, in order by Unicode code point. */
  list(): PortResult<readonly string[]>
}
