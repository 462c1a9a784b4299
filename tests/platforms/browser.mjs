// The page of examples/browser in headless Chromium: a file is opened, a column learned from and searched; the database
// that it saves has to open in the native extension with the same answers. Run by tests/platforms.sh.
//
//   node tests/platforms/browser.mjs CHROMIUM EXTENSION [FILE COLUMN SAVED]     # FILE: CSV or SQLite; COLUMN: table.column
//
// Prints a line of figures; ends with status 1 where something is wrong.
import {execFileSync, spawn} from 'node:child_process';
import {createServer} from 'node:http';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [chromium, extension, file, column = 'rows.body', kept] = process.argv.slice(2);
const folder = 'build-wasm/browser', work = mkdtempSync(join(tmpdir(), 's2v-browser-'));
const saved = kept ?? join(work, 'saved.db');
const questions = file ? ['a person who repairs shoes', 'fear of being in closed spaces', 'zebra'] :
                         ['red fox', 'the bank cuts its rate', 'heavy rain "again"', 'unheard crowd'];

// Fields with quotes, commas, a line's end, and text that looks like HTML.
const texts = ['the bank cuts its rate, and the lenders follow', 'a "red" fox sleeps\nunder the old tree',
               '<b id=bold>heavy</b> rain falls on the harbour and the boats', 'the striker scores twice and the crowd sings'];
const csv = 'number,body\r\n' + Array.from({length: 400}, (_, i) =>
  `${i},"${texts[i % 4].replaceAll('"', '""')}${['', ' today', ' again'][i % 3]}"\r\n`).join('');

// What a person does, in the page itself.
async function act(column, questions) {
  const until = async is => { while (!is()) await new Promise(resolve => setTimeout(resolve, 5)); };
  const result = {answers: []};
  try {
    worker.onerror = event => fetch('done', {method: 'POST', body: JSON.stringify({error: event.message})});
    await openFile(new File([await (await fetch('input')).arrayBuffer()], 'input.csv'));
    result.choice = [...$('column').options].map(option => option.text.split(':')[0]);
    $('column').selectedIndex = result.choice.indexOf(column);
    await train();
    result.learned = $('told').textContent;
    for (const question of questions) {
      for (let i = 1; i <= question.length; i++) {  // typed, and not waited for
        $('question').value = question.slice(0, i);
        $('question').dispatchEvent(new Event('input'));
      }
      await until(() => !asking);
      result.first ??= $('told').textContent;
      const {rows, milliseconds} = await call('ask', {index, text: question});
      result.answers.push({shown: document.querySelectorAll('article').length, milliseconds,
                           rows: rows.map(row => row['found text'] + ' ' + row['found score'].toFixed(4))});
    }
    result.elements = document.querySelectorAll('#bold').length;
    result.last = $('told').textContent;
    await fetch('saved', {method: 'POST', body: (await call('save')).bytes});
  } catch (error) {
    result.error = error.message + ', ' + $('told').textContent;
  }
  await fetch('done', {method: 'POST', body: JSON.stringify(result)});
}

const kinds = {html: 'text/html', js: 'text/javascript', wasm: 'application/wasm'};
let done;
const result = new Promise(resolve => { done = resolve; });
const server = createServer((request, response) => {
  const name = request.url.slice(1), parts = [];
  request.on('data', part => parts.push(part)).on('end', () => {
    if (name === 'saved') writeFileSync(saved, Buffer.concat(parts));
    if (name === 'done') done(JSON.parse(Buffer.concat(parts)));
    if (request.method === 'POST') return response.end();
    try {
      const page = name === 'test.html';
      let body = name === 'input' ? (file ? readFileSync(file) : csv) : readFileSync(join(folder, page ? 'index.html' : name));
      if (page) body += `<script>(${act})(${JSON.stringify(column)}, ${JSON.stringify(questions)})</script>`;
      response.writeHead(200, {'Content-Type': kinds[name.split('.').pop()] ?? 'application/octet-stream'}).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
}).listen(0, '127.0.0.1', () => {
  browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', `--user-data-dir=${work}/profile`,
    `http://127.0.0.1:${server.address().port}/test.html`], {stdio: 'ignore', env: {...process.env, HOME: work}});
  browser.on('error', error => done({error: error.message})).on('exit', () => done({error: 'the browser ended'}));
});
let browser;
setTimeout(() => done({error: 'no end'}), (file ? 20 : 3) * 60000).unref();

const found = await result;
browser.removeAllListeners('exit').kill();
await new Promise(resolve => browser.on('exit', resolve));
server.close();
let failed = 0;
function check(what, is, expected) {
  if (JSON.stringify(is) === JSON.stringify(expected)) return;
  console.log(`browser: ${what}: ${JSON.stringify(is)}, expected ${JSON.stringify(expected)}`);
  failed = 1;
}
check('an error', found.error, undefined);
if (!failed) {
  const [table, name] = column.split('.');
  check('elements made of a text', found.elements, 0);
  if (!file) check('columns to choose from', found.choice, ['rows.body', 'rows.number']);
  const native = JSON.parse(execFileSync('sqlite3', ['-batch', '-init', '/dev/null', '-cmd', `.load ${extension}`, saved,
    'SELECT json_group_array(json(a)) FROM (SELECT (SELECT json_group_array(t) FROM (SELECT d."' + name + `" || ' ' || printf('%.4f', s.score) AS t
     FROM ${table}_search(value, 20) AS s JOIN ${table} AS d ON d.rowid = s.rowid ORDER BY s.score DESC)) AS a
     FROM json_each('${JSON.stringify(questions)}'))`], {maxBuffer: 1 << 24}));
  questions.forEach((question, i) => {
    check(`rows shown for ${question}`, found.answers[i].shown, found.answers[i].rows.length);
    check(`native answers to ${question}`, native[i].toSorted(), found.answers[i].rows.toSorted());
  });
  check('integrity', String(execFileSync('sqlite3', [saved, 'PRAGMA integrity_check'])).trim(), 'ok');
  console.log(`browser: ${found.learned}; first answer: ${found.first}; then ` +
              found.answers.map(answer => answer.milliseconds.toFixed(1) + ' ms').join(', '));
}
rmSync(work, {recursive: true, force: true});
process.exit(failed);
