/** `imports/` and `/imports` are one base path; the root is the empty text. */
export const basePathOf = (basePath = ''): string => basePath.replace(/^\/*(?=.)/, '/').replace(/\/+$/, '')

/** Characters that mean something to the router. */
const special = /[{}()[\]+?!:*\\]/g

/** A path of the contract in the router's notation; the router allows, and does not need, a slash at the end. */
export const routePath = (basePath: string, path: string): string =>
  basePath.replace(special, String.raw`\$&`) + path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
