import { describe, expect, it } from 'vitest'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runJob, startJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

const shared = shareDaemon()

/** What landed, without the task list. */
async function landed(repository: TestRepository, branch: string): Promise<readonly string[]> {
  const listed = await repository.git('diff', '--name-only', 'main', branch)
  return listed.split('\n').filter((path) => path !== 'TASKLIST.md')
}

/** Waits until exactly the unusual work is left and a person is asked about it. */
async function questionOf(jobId: string) {
  const pending = async () => take(await shared.client.listApprovals({ job: jobId, status: 'pending' })).items
  await until(async () => {
    const [usual] = (await tasksOf(shared.client, jobId)).filter(({ status }) => status === 'completed')
    return usual !== undefined && (await pending()).length === 1
  })
  const [question] = await pending()
  if (question === undefined) throw new Error('no one is asked')
  return question
}

it('work that no further try could collect fails at once, with the reason', async () => {
  const nests = 'git init -q n/1; for i in $(seq 2 101); do cp -r n/1 n/$i; done; echo x > x.txt'
  await using repository = await testRepository(shellProject([{ description: 'make nests', script: nests }]))
  const job = await runJob(shared.client, repository)
  const [task] = await tasksOf(shared.client, job.id)
  expect(task).toMatchObject({ status: 'blocked' })
  expect(JSON.stringify(task)).toContain(
    'could not be collected (git add: more than 100 nested repositories)',
  )
})

describe('only what agents did lands', () => {
  it('although setup makes folders and files and changes tracked ones', async () => {
    const files = shellProject([
      { description: 'write a file', script: 'echo hello > UNI.md' },
      { description: 'commit everything', script: 'echo x > two.txt; git add -A; git commit -qm two' },
    ])
    const configuration = JSON.parse(files['muster.yaml']) as object
    const setup = ['mkdir -p node_modules/a && echo 1 > node_modules/a/x && echo 1 > package-lock.json']
    await using repository = await testRepository({
      ...files,
      'muster.yaml': JSON.stringify({ ...configuration, setup }),
    })
    const job = await runJob(shared.client, repository)

    expect(await landed(repository, job.workingBranch)).toEqual(['UNI.md', 'two.txt'])
    const [first] = await tasksOf(shared.client, job.id)
    expect(first).toMatchObject({
      changes: { files: 1, added: 1, removed: 0, unusual: [] },
      resultSummary: '1 file changed, +1 -0',
    })
  })

  it('and unusual work only after a person has seen why', async () => {
    await using repository = await testRepository(
      shellProject([
        {
          description: 'install packages',
          script: 'mkdir node_modules; echo x > node_modules/x.js; echo x > x',
        },
        { description: 'work as usual', script: commitFile('usual.txt', 'usual') },
      ]),
    )
    const jobId = await startJob(shared.client, repository)
    const approval = await questionOf(jobId)
    expect(approval.action).toMatchObject({
      tasks: [{ name: 't1-1', title: 'install packages' }],
      unusual: ['it adds files that repositories normally ignore: node_modules/'],
    })
    take(await shared.client.allowApproval(approval.id))
    const job = await waitForJob(shared.client, jobId)
    expect(await landed(repository, job.workingBranch)).toEqual(['node_modules/x.js', 'usual.txt', 'x'])
  })

  it('but not from a tree that lost its files', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`src/${index}.txt`, `${index}`]),
    )
    const once = '[ "$MUSTER_ATTEMPT" != 1 ] || rm -r src README.md; echo x > new.txt'
    await using repository = await testRepository({
      ...shellProject([{ description: 'lose files', script: once }]),
      ...many,
    })
    const job = await runJob(shared.client, repository)

    expect(await landed(repository, job.workingBranch)).toEqual(['new.txt'])
    const [task] = await tasksOf(shared.client, job.id)
    expect(task).toMatchObject({ status: 'completed', retryCount: 1 })
    expect(task?.errorMessage).toContain('41 of the 44 files are missing from its working tree')
  })
})
