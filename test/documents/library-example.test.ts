import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { APPROVED, runProject, WRITE } from '../support/run-project.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { testRepository } from '../support/test-repository.ts'

const run = promisify(execFile)
const GUIDE = await readFile('docs/guides/library.md', 'utf8')
const EXAMPLES = [...GUIDE.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text)

it.each(EXAMPLES.map((text, index) => [index + 1, text] as const))(
  'example %i of the library guide runs',
  async (_, text) => {
    await using directory = await temporaryDirectory('muster-home')
    await using repository = await testRepository(runProject({ developer: WRITE, reviewer: APPROVED }))
    const program = join(directory.path, 'example.ts')
    const library = resolve('src/library/index.ts')
    await writeFile(program, text.replace("from 'muster'", `from ${JSON.stringify(library)}`))
    const { stdout } = await run(process.execPath, [program], {
      cwd: repository.path,
      env: {
        ...process.env,
        MUSTER_HOME: join(directory.path, 'home'),
        MUSTER_DATABASE_URL: urlOf(await createTestDatabase()),
        MUSTER_SANDBOX: 'none',
        MUSTER_TRUST: 'all',
      },
      timeout: 100_000,
    })
    expect(stdout.trim().split('\n').at(-1)).toMatch(/^completed/)
  },
)
