/**
 * What a shell runs first that finds `node_modules/.bin` by its PATH: `npx` without the second that npm takes to find the same
 * program. That the real one finds it is what `server/serve.test.ts` shows.
 */
export const quickNpx = 'npx() { "$@"; }\n'
