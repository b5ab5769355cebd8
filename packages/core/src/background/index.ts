export {
  startBackgroundWork,
  type BackgroundOptions,
  type BackgroundUseCases,
  type BackgroundWork,
} from './start-background-work.js'
export { type BackgroundObserver, type Chore, type ChoreFailure } from './webhook-relay.js'
