# Ruby's sqlite3 (Debian: ruby-sqlite3): ruby calls.rb EXTENSION. What it runs, and why, is said in drivers.sh.
require 'json'
begin
  require 'sqlite3'
rescue LoadError
  puts 'skipped: this Ruby has no sqlite3'
  exit 77
end
CALLS = JSON.parse(File.read(File.join(__dir__, 'calls.json'), encoding: 'utf-8'))

def text_of(value)
  value = value.to_i if value.is_a?(Float) && value == value.floor
  value.nil? ? 'NULL' : value.to_s
end

def run(db, call, number)
  values = (call['values'] || []).map do |value|
    if value.is_a?(Hash) then run(db, value, number)
    elsif value.is_a?(Integer) then number.call(value)
    else value
    end
  end
  row = db.execute(call['sql'], values).first
  row && row[0]
end

{ 'Integer' => :to_i, 'Float' => :to_f, 'String' => :to_s }.each do |kind, number|
  db = SQLite3::Database.new(':memory:')
  db.enable_load_extension(true)
  db.load_extension(ARGV[0].delete_suffix('.so'))
  CALLS.each do |call|
    begin
      got = text_of(run(db, call, number.to_proc))
    rescue SQLite3::Exception => error
      got = error.message
    end
    abort "Ruby, numbers bound as #{kind}: #{call} gives #{got}" if got != (call['expect'] || 'NULL')
  end
end
puts "Ruby #{RUBY_VERSION}, SQLite #{SQLite3::SQLITE_VERSION}: #{CALLS.size} calls, numbers as Integer, Float and String"
