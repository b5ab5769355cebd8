import * as t from 'io-ts'
import { pageLimits } from '../limits.js'
import { cursor } from './cursor.js'
import { queryInteger } from './query-integer.js'

/** `limit` asks for a page; `cursor` continues after a page, and without `limit` with the largest page. */
export const listQuery = t.partial(
  { limit: queryInteger(pageLimits.min, pageLimits.max), cursor },
  'ListQuery',
)
