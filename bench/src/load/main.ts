import { answerJobs } from './answer-jobs.js'
import { runJob } from './run-job.js'

// The load generator, a process of its own.
answerJobs(runJob)
