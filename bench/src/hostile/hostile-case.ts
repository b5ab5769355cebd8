import type { Measured } from '@account-import/test/hostile'
import type { Posted } from './post-body.js'

/** A hostile body, what validating it costs in this process, and what it does to a server. */
export type HostileCase = Readonly<{ name: string }> & Measured & Posted
