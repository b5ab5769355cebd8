/** Data of accounts is packed to a tenth. Text that unpacks to more than a hundred times its length is made to do so. */
const mostTimes = 100

/** So much harms nobody, however well it was packed. */
const alwaysBytes = 262_144

/** Bytes that so many packed bytes may unpack to. */
export const mostUnpacked = (packedBytes: number): number => packedBytes * mostTimes + alwaysBytes
