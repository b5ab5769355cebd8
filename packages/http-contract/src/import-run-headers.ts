/** The header by which a request to stage or process names its import run. */
export const importRunHeader = 'Import-Run'

/** The number that the first line of the request has in the source of its run, from 1. */
export const importRunLineHeader = 'Import-Run-Line'
