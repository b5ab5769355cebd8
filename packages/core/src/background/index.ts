export { startBackgroundWork } from './start-background-work.js'
export type { BackgroundOptions, BackgroundUseCases, BackgroundWork } from './start-background-work.js'
export type { BackgroundObserver, Chore, ChoreFailure } from './observer.js'
