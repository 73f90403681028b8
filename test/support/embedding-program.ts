/** A program that embeds Muster, starts a job in a home and a repository, and prints the id of the job. */
import { createMuster } from '../../src/library/index.ts'

const [home = '', repository = ''] = process.argv.slice(2)
const muster = await createMuster({ home, repository })
const job = await muster.start('reviewed', 'Write a line')
for await (const event of job.events()) {
  if (event.type === 'session_started') process.stdout.write(`${job.id}\n`)
}
