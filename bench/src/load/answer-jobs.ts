import '../children/end-with-parent.js'
import type { LoadJob, LoadResult } from './load-job.js'

/** Runs the jobs that the parent process sends, and answers their results. */
export const answerJobs = (run: (job: LoadJob) => Promise<LoadResult>): void => {
  process.on('message', (job: LoadJob) => {
    run(job).then(
      (result) => process.send?.({ result }),
      (cause: unknown) => process.send?.({ failure: String(cause) }),
    )
  })
  process.channel?.ref() // it lives for the next job
}
