/** An answer of the hand-written server that ours is compared with. */
export type Reply = Readonly<{ status: number; body: object }>

/** A point in time as a DATETIME(3) column takes it. */
export const sqlNow = (): string => new Date().toISOString().slice(0, 23).replace('T', ' ')
