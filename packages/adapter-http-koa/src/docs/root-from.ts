/**
 * The relative link from a path to the first page of the documentation, which lies `depth` levels above it: `../` a level where
 * the path ends with a slash, else one less.
 */
export const rootFrom = (path: string, depth: 1 | 2): string =>
  '../'.repeat(path.endsWith('/') ? depth : depth - 1) || './'
