import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import { SHIPPED_PLAYBOOKS } from '../../domain/playbook/shipped-names.ts'
import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { notWritten } from '../not-written.ts'
import { newPlaybookFiles } from '../playbook/new-playbook-text.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { findRepository } from '../repository/find-repository.ts'
import { noRepository } from '../repository/no-repository.ts'

const NAME = /^[a-z][a-z0-9_-]{0,63}$/

/** Writes a commented playbook that is valid as it is. Never changes a folder that exists. */
export async function newPlaybookCommand(needs: CommandNeeds, name: string): Promise<Outcome> {
  const { output, surroundings } = needs
  if (!NAME.test(name)) return failure(badName(name))
  const repository = await findRepository(surroundings.cwd)
  if (repository === undefined) return failure(noRepository(surroundings.cwd))
  const parent = join(repository, '.muster', 'playbooks')
  const directory = join(parent, name)
  const files = newPlaybookFiles(name)
  for (const folder of [join(repository, '.muster'), parent]) {
    if (await isLink(folder)) return failure(notWritten(directory, `${folder} is a symbolic link`))
  }
  try {
    await mkdir(parent, { recursive: true })
    await mkdir(directory)
    for (const [file, text] of Object.entries(files)) {
      await writeFile(join(directory, file), text, { flag: 'wx' })
    }
  } catch (error) {
    return failure(writeFailure(directory, error))
  }
  const written = Object.keys(files).map((file) => join(directory, file))
  return printResult(needs, { name, directory, files: written }, [
    ...written.map(
      (file) => `${output.paint('good', 'wrote')} ${safeLine(relative(surroundings.cwd, file))}`,
    ),
    ...(SHIPPED_PLAYBOOKS.includes(name)
      ? [`  in this repository, it takes the place of Muster's own playbook "${name}"`]
      : []),
    `  next: ${output.hint(`muster playbooks show ${name}`)}`,
  ])
}

/** A cloned repository could lead the files to any folder of the person. */
async function isLink(path: string): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )
}

function badName(name: string): Problem {
  return {
    type: 'bad-name',
    exitCode: EXIT.usage,
    message: `"${safeLine(name, 80)}" can't be the name of a playbook`,
    why: 'a name has up to 64 lower-case letters, digits, "_" and "-", and starts with a letter',
  }
}

function writeFailure(directory: string, error: unknown): Problem {
  const { code, errno } = error as NodeJS.ErrnoException
  if (errno === undefined) throw error
  if (code === 'EEXIST') {
    return {
      type: 'playbook-exists',
      exitCode: EXIT.conflict,
      message: `${directory} already exists`,
      why: 'new does not overwrite files that someone may have edited',
    }
  }
  return notWritten(directory, getSystemErrorMessage(errno))
}
