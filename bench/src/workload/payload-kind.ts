/** How much an account holds: about 4, 8.5 and 115 KB. */
export const sizes = ['small', 'typical', 'heavy'] as const
export type Size = (typeof sizes)[number]

/** The order of the keys: as the tables declare them, from A to Z, shuffled anew for each account, or a third each. */
export const orders = ['mixed', 'declared', 'sorted', 'shuffled'] as const
export type Order = (typeof orders)[number]

/** Which accounts are sent. */
export type PayloadKind = Readonly<{ size: Size; order: Order }>
