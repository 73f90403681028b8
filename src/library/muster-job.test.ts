import { expect, it } from 'vitest'
import { exampleChange } from '../../test/support/example-records.ts'
import { sampleId, sampleTask } from '../../test/support/server/sample-records.ts'
import { startTestServer, TOKEN } from '../../test/support/server/test-server.ts'
import { connect } from '../client/index.ts'
import { MusterJob } from './muster-job.ts'

it('has all tasks of a job, however many', async () => {
  await using served = await startTestServer()
  const more = Array.from({ length: 60 }, (_, index) => sampleTask(10 + index))
  await served.world.store.transact(({ tasks }) => tasks.insertAll(more, exampleChange()))
  const job = new MusterJob(connect({ url: served.url, token: TOKEN }), sampleId('job'))
  expect(await job.tasks()).toHaveLength(63)
})
