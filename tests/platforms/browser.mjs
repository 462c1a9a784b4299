// The page of examples/browser in headless Chromium: a file is opened, a column learned from and searched, a map drawn; the
// database that it saves has to open in the native extension with the same answers. The page is loaded again: the file is
// still there and answers as before; once forgotten it is not; without OPFS the page says so. Run by tests/platforms.sh.
//
//   node tests/platforms/browser.mjs CHROMIUM EXTENSION FOLDER [FILE COLUMN SAVED [PICTURE]]
//
// FOLDER: the page; FILE: CSV or SQLite; COLUMN: table.column; PICTURE: a PNG of the page with answers and map. Prints a line of
// figures; ends with status 1 where something is wrong.
import {execFileSync, spawn} from 'node:child_process';
import {createServer} from 'node:http';
import {mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [chromium, extension, folder, file, column = 'rows.body', kept, picture] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 's2v-browser-'));
const saved = kept ?? join(work, 'saved.db');
const questions = file ? ['a person who repairs shoes', 'fear of being in closed spaces', 'zebra'] :
                         ['red fox', 'the bank cuts its rate', 'heavy rain "again"', 'unheard crowd'];

// Fields with quotes, commas, a line's end, and text that looks like HTML.
const texts = ['the bank cuts its rate, and the lenders follow', 'a "red" fox sleeps\nunder the old tree',
               '<b id=bold>heavy</b> rain falls on the harbour and the boats', 'the striker scores twice and the crowd sings'];
const csv = 'number,body\r\n' + Array.from({length: 400}, (_, i) =>
  `${i},"${texts[i % 4].replaceAll('"', '""')}${['', ' today', ' again'][i % 3]}"\r\n`).join('');

// What a person does, in the page itself. Each load of the page is a step, which ends by going on to the next.
async function act(column, questions, picture) {
  const until = async is => { while (!is()) await new Promise(resolve => setTimeout(resolve, 5)); };
  const step = location.search.slice(1) || 'learn', result = {};
  const send = (to, body) => fetch(to, {method: 'POST', body});
  worker.onerror = event => send('done', JSON.stringify({error: event.message}));
  async function answers() {
    // The first one by the worker's processor time too, which other programs do not lengthen.
    const clock = async () => Number(await (await fetch('clock')).text());
    const before = await clock(), {milliseconds: wall} = await call('ask', {index, text: questions[0]});
    result[step + 'First'] = `${(await clock() - before).toFixed(1)} ms of processor time, ${wall.toFixed(1)} ms`;
    const all = [];
    for (const question of questions) {
      for (let i = 1; i <= question.length; i++) {  // typed, and not waited for
        $('question').value = question.slice(0, i);
        $('question').dispatchEvent(new Event('input'));
      }
      await until(() => !asking);
      const {rows, milliseconds} = await call('ask', {index, text: question});
      all.push({shown: document.querySelectorAll('article').length, milliseconds,
                rows: rows.map(row => row['found text'] + ' ' + row['found score'].toFixed(4))});
    }
    return all;
  }
  const steps = {
    async learn() {
      await openFile(new File([await (await fetch('input')).arrayBuffer()], 'input.csv'));
      result.choice = [...$('column').options].map(option => option.text.split(':')[0]);
      $('column').selectedIndex = result.choice.indexOf(column);
      await train();
      result.learned = $('told').textContent;
      result.answers = await answers();
      result.elements = document.querySelectorAll('#bold').length;
      const start = performance.now(), map = draw();
      result.meanwhile = (await call('ask', {index, text: questions[0]})).rows.length;  // the map leaves the worker free for a question
      await map;
      result.mapSeconds = (performance.now() - start) / 1000;
      const at = shown.points[7], {left, top} = canvas.getBoundingClientRect();
      canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: left + toCanvas(at.x), clientY: top + toCanvas(at.y)}));
      result.points = shown.points.length;
      result.hint = !hint.hidden && shown.points.some(point => point.text.startsWith(hint.textContent.slice(0, 200)));
      result.ink = new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size > 20;
      await send('saved', (await call('save')).bytes);
      if (picture) {
        markFound([...document.querySelectorAll('article p')].map(one => one.textContent));
        await new Promise(resolve => setTimeout(resolve, 200));
        await send('picture', '');
      }
      return 'again';
    },
    async again() {
      await until(() => $('told').textContent !== '');
      result.told = $('told').textContent;
      result.again = index && (await answers()).map(({rows}) => rows);
      await forget();
      return 'forgotten';
    },
    async forgotten() {
      await until(() => kept !== '');
      result.forgotten = columns === undefined && $('search').hidden;
      return 'memory';
    },
    async memory() {
      await until(() => kept !== '');
      result.memory = kept;
      await openFile(new File(['body\nred fox\n'], 'small.csv'));
      result.memoryColumns = columns.length;
    },
  };
  try {
    const next = await steps[step]();
    await send(next ? 'part' : 'done', JSON.stringify(result));
    if (next) location = 'test.html?' + next;
  } catch (error) {
    await send('done', JSON.stringify({error: `${step}: ${error.message}, ${$('told').textContent}`}));
  }
}

const kinds = {html: 'text/html', js: 'text/javascript', wasm: 'application/wasm'};
let done, parts = {}, withoutStorage = false;
const result = new Promise(resolve => { done = resolve; });
const server = createServer((request, response) => {
  const [name, step] = request.url.slice(1).split('?'), bytes = [];
  request.on('data', part => bytes.push(part)).on('end', async () => {
    const body = Buffer.concat(bytes);
    if (name === 'saved') writeFileSync(saved, body);
    if (name === 'picture') await photograph();
    if (name === 'part') parts = {...parts, ...JSON.parse(body)};
    if (name === 'done') done({...parts, ...JSON.parse(body)});
    if (request.method === 'POST') return response.end();
    if (name === 'clock') return response.end(String(workerMilliseconds()));
    try {
      const page = name === 'test.html';
      if (page) withoutStorage = step === 'memory';
      let body = name === 'input' ? (file ? readFileSync(file) : csv) : readFileSync(join(folder, page ? 'index.html' : name));
      if (page) body += `<script>(${act})(${JSON.stringify(column)}, ${JSON.stringify(questions)}, ${Boolean(picture)})</script>`;
      if (name === 'worker.js' && withoutStorage) body = 'delete StorageManager.prototype.getDirectory;' + body;
      response.writeHead(200, {'Content-Type': kinds[name.split('.').pop()] ?? 'application/octet-stream', 'Cache-Control': 'no-store'}).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
}).listen(0, '127.0.0.1', () => {
  browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--window-size=1200,1100', '--remote-debugging-port=0', '--disable-component-update', '--disable-sync', `--user-data-dir=${work}/profile`,
    `http://127.0.0.1:${server.address().port}/test.html`], {stdio: 'ignore', env: {...process.env, HOME: work}});
  browser.on('error', error => done({error: error.message})).on('exit', () => done({error: 'the browser ended'}));
});
let browser;
// What the threads of the browser's workers have run, as Linux says it.
function workerMilliseconds() {
  let sum = 0;
  const read = path => {
    try {
      return readFileSync(path, 'utf8').trim();
    } catch {  // it has ended
      return '';
    }
  };
  const threads = process => readdirSync(`/proc/${process}/task`);
  const children = parent => threads(parent).flatMap(thread => read(`/proc/${parent}/task/${thread}/children`).split(' '))
    .filter(Boolean).flatMap(child => [child, ...children(child)]);
  for (const process of children(browser.pid)) {
    for (const thread of threads(process)) {
      const of = `/proc/${process}/task/${thread}/`;
      if (read(of + 'comm').startsWith('DedicatedWorker')) sum += Number(read(of + 'schedstat').split(' ')[0]) / 1e6;
    }
  }
  return sum;
}
// By the browser's own protocol.
async function photograph() {
  const [port] = readFileSync(join(work, 'profile/DevToolsActivePort'), 'utf8').split('\n');
  const page = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()).find(one => one.type === 'page');
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  await new Promise(resolve => { socket.onopen = resolve; });
  socket.send(JSON.stringify({id: 1, method: 'Page.captureScreenshot'}));
  const {data} = await new Promise(resolve => { socket.onmessage = resolve; });
  writeFileSync(picture, JSON.parse(data).result.data, 'base64');
  socket.close();
}
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
  check('rows on the map', file ? found.points > 0 : found.points, file ? true : 400);
  check('the row under the pointer', found.hint, true);
  check('something is drawn', found.ink, true);
  check('answers while the map is made', found.meanwhile > 0, true);
  check('answers after the page was loaded again', found.again, found.answers.map(({rows}) => rows));
  check('it says that the file is there again', found.told.includes('has an index already'), true);
  check('forgotten', found.forgotten, true);
  check('without OPFS it says so', found.memory, 'It is gone when the page is: this browser, or this address, has no storage for it.');
  check('without OPFS it works', found.memoryColumns, 1);
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
  console.log(`browser: ${found.learned}; first answer, and the first after the page was loaded again: ` +
              `${found.learnFirst}; ${found.againFirst}; later ones ` +
              found.answers.map(answer => answer.milliseconds.toFixed(1) + ' ms').join(', ') +
              `; a map of ${found.points} rows in ${found.mapSeconds.toFixed(1)} s`);
}
rmSync(work, {recursive: true, force: true});
process.exit(failed);
