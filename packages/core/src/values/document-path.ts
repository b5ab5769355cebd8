import { percentDecode } from './percent-decode.js'
import { beginsWithDrive, skeletonOf } from './normalised-path.js'

/** What is wrong with a document path (docs/reference/types.md#types-of-fields). */
export type DocumentPathCode = 'document_path_outside_root' | 'invalid'

/**
 * What is wrong with a document path, which must stay inside the supplier's document root however it is read: as sent, and
 * percent-decoded once and twice, each in Unicode form NFKC.
 */
export const documentPathCode = (path: string): DocumentPathCode | undefined => {
  const interpretations = interpretationsOf(path)
  const skeletons = interpretations.map(skeletonOf)
  if (interpretations.some(beginsWithDrive) || skeletons.some(isOutsideRoot))
    return 'document_path_outside_root'
  return skeletons.some(hasForbiddenCharacter) || hasEmptySegment(skeletons[0] ?? path)
    ? 'invalid'
    : undefined
}

/** All ways in which storages and what lies before them may read a path: as sent, decoded once and decoded twice, without repeats. */
export const interpretationsOf = (path: string): readonly string[] => {
  const once = percentDecode(path)
  if (once === path) return [path]
  const twice = percentDecode(once)
  return twice === once ? [path, once] : [path, once, twice]
}

/** Whether it begins with a slash, has a scheme or a segment `..`, even if it would lead back inside. */
const isOutsideRoot = (path: string): boolean => outside.test(path)

const outside = /^[/\\]|:\/\/|(?:^|[/\\])\.\.(?:$|[/\\])/

const hasForbiddenCharacter = (path: string): boolean => forbidden.test(path)

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const forbidden = /[\u0000-\u001f\u007f\\]/

/** An empty segment or a segment `.`, or a slash at the end. */
const hasEmptySegment = (path: string): boolean => emptySegment.test(path)

const emptySegment = /(?:^|\/)\.?(?:\/|$)/
