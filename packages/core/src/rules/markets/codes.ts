import { codes as es } from './es/codes.js'

/** The codes of all market packs. */
export const marketCodes = { ...es }
