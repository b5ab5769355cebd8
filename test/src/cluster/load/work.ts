import type { Client } from '@account-import/client'

/** A client of one of the servers, which has a place in their row. */
export type Caller = Readonly<{ client: Client; place: number }>

/** Requests of one kind. */
export type Work = Readonly<{
  /** Whether there is something to ask for. */
  isReady(): boolean
  /** Asks for one thing; false when it has to be asked for again, which another call does later. */
  next(caller: Caller): Promise<boolean>
  /** How much has to be asked for again. */
  unclear(): number
}>
