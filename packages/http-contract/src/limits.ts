/** Bytes of a request body, after decompression. */
export const bodyLimitBytes = 5_242_880

/** Bytes of a GraphQL request, after decompression; it holds one API key or refresh token. */
export const graphqlBodyLimitBytes = 65_536

/** Levels of nested arrays and objects in a body; the outermost value is level 1. */
export const nestingLimit = 32

/** Blank lines of a bulk request that may follow one another. */
export const blankLinesLimit = 1000

/** Items of one page of a list. */
export const pageLimits = { min: 1, max: 1000 } as const
