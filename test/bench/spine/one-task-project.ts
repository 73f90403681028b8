import { shellProject } from '../../support/command-agents.ts'
import type { TestDaemon } from '../../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../../support/test-repository.ts'

/** A project with one task whose agent runs this shell script. */
export function oneTaskProject(script: string): Promise<TestRepository> {
  const task = { description: 'the one task', script: 'echo x > x.txt' }
  return testRepository(shellProject([task], { checks: [], prelude: script }))
}

export async function startJob(daemon: TestDaemon, repository: TestRepository): Promise<string> {
  const started = await daemon.client.startJob({
    repositoryPath: repository.path,
    requestDocument: 'Measure.',
  })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  return started.value.id
}
