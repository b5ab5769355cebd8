import { oneOf } from './one-of.js'

/** Reads `on` or `off`. */
export const onOff = (text: string): boolean => oneOf(['on', 'off'])(text) === 'on'
