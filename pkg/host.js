var Do=Object.defineProperty;var a=(n,e)=>Do(n,"name",{value:e,configurable:!0});var Dt=Number.NaN,Ft,In;function h(){return In!==setTimeout&&Fo(),Dt+Ft.now()}a(h,"now");function Fo(){In=setTimeout,Ft=
performance,Number.isNaN(Dt)&&(Dt=Date.now()-Ft.now())}a(Fo,"lookUp");var Cn=2147483647;function _n(n,e){return new Promise(
t=>{let r=e<=Cn?setTimeout(t,e):void 0,o=a(()=>{clearTimeout(r),t()},"over");n.then(o,o)})}a(_n,"within");var ce=class{static{
a(this,"Alarm")}timer;at=0;held=!1;keeps;ring;constructor(e){this.ring=()=>{this.timer=void 0,h()<this.at?this.arm():e()}}set(e){
this.at=e,this.timer!==void 0&&clearTimeout(this.timer),this.arm()}hold(e){if(this.held===e)return;this.held=e;let t=this.
timer;e?t?.ref?.():t?.unref?.()}stop(){this.timer!==void 0&&clearTimeout(this.timer),this.timer=void 0}arm(){this.timer=
setTimeout(this.ring,Math.min(Math.max(Math.ceil(this.at-h()),1),Cn)),this.held||this.timer.unref?.()}};var $n=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],Lt=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],Ut=[["'","’"],
['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","’"],["＂","’"],
["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],ne=80,Ke=500,Be=300,Nn=80;function Kt(n,e){return n.some(([t,r])=>t<=e&&e<=r)}a(Kt,"isIn");var Mn;function Lo(){let n=Ut.map(([r])=>r),t=`[${Array.
from({length:94},(r,o)=>String.fromCharCode(33+o)).filter(r=>!n.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${t}(?: ${t})*$`)}a(Lo,"plainWords");function P(n,e=Nn){if(Mn??=Lo(),n.length<=e&&Mn.test(
n))return n;let t="",r=0,o=!1;for(let s of n){let i=s.codePointAt(0);if(Kt(Lt,i))continue;if(Kt($n,i)){o=r>0;continue}let u=r+
(o?2:1);if(u>e)return`${t}…`;let d=i>=55296&&i<=57343?"�":Ut.find(([c])=>c===s)?.[1]??s;t+=o?` ${d}`:d,o=!1,r=u}return t}
a(P,"quoted");function We(n){let e="";for(let t of JSON.stringify(n)){let r=t.codePointAt(0),o=r<127||r>160&&r!==8232&&r!==8233&&!Kt(Lt,
r);e+=o?t:Uo(t)}return e}a(We,"jsonForModel");function Uo(n){return Array.from({length:n.length},(e,t)=>`\\u${n.charCodeAt(
t).toString(16).padStart(4,"0")}`).join("")}a(Uo,"escaped");var Dn=!1;function Bt(n){Dn=n}a(Bt,"withinCore");function Re(n){try{for(let e=n,t=0;e instanceof Error&&t<8;e=e.cause,t+=
1)e.stack}catch{}}a(Re,"letStackGo");var g=class extends Error{static{a(this,"SubAgentError")}name="SubAgentError";code;details;constructor(e,t,r={},o){
super(t,o),this.code=e,this.details=r,Dn&&Re(this)}};function Fn(n,e){try{if(!(n instanceof Error)||n.name!=="SubAgentEr\
ror")return!1;let{code:t}=n;return e===void 0?typeof t=="string":t===e}catch{return!1}}a(Fn,"isSubAgentError");var Ln=new WeakMap;
function Ge(n,e){return e!==n.message&&Ln.set(n,e),n}a(Ge,"tellingModels");function Je(n){return Ln.get(n)??x(n)}a(Je,"t\
oldOf");function b(n,e,t){let r=`${n} must be ${e}, got ${w(t)}`;return new g("invalid_argument",r,{argument:n.replaceAll(
"`",""),expected:e})}a(b,"invalid");function w(n){return typeof n=="string"?n.length>40?`a string of ${n.length} charact\
ers`:We(n):n==null||typeof n=="number"||typeof n=="boolean"?String(n):typeof n=="object"?Ko(n):`a ${typeof n}`}a(w,"desc\
ribe");function Ko(n){try{return Array.isArray(n)?n.length===0?"an empty list":"a list":"an object"}catch{return"an obje\
ct"}}a(Ko,"listOrObject");function x(n){try{if(typeof n=="string")return n;if(n instanceof Error)return String(n.message)||
String(n.name)||"an error without a message";if(typeof n=="object"&&n!==null&&typeof n.message=="string")return n.message}catch{}
return`threw ${w(n)}`}a(x,"messageOf");var He=class{static{a(this,"Scratch")}view=new Uint8Array(0);whole=new Uint8Array(0);encoder=new TextEncoder;decoder=new TextDecoder;core;memory;constructor(e,t){
this.core=e,this.memory=t}write(e,t=0){let r=t+e.length*3;return(this.view.length<r||this.view.length===0)&&this.grow(r),
this.encoder.encodeInto(e,t===0?this.view:this.view.subarray(t)).written}writeAll(e){let t=3*e.reduce((o,s)=>o+fe(s),0);
(this.view.length<t||this.view.length===0)&&this.grow(t);let r=0;return e.map(o=>{if(o===void 0)return 4294967295;let s=this.
write(o,r);return r+=s,s})}writeEnd(e){let{output:t,error:r,hostStatus:o,hostTaskId:s,artifactsJson:i,valueJson:u}=e,d=t.
length+fe(r)+fe(o)+fe(s)+fe(i)+fe(u);(this.view.length<d*3||this.view.length===0)&&this.grow(d*3);let c={output:this.write(
t),error:4294967295,status:4294967295,id:4294967295,artifacts:4294967295,value:4294967295},f=c.output;return r!==void 0&&
(f+=c.error=this.write(r,f)),o!==void 0&&(f+=c.status=this.write(o,f)),s!==void 0&&(f+=c.id=this.write(s,f)),i!==void 0&&
(f+=c.artifacts=this.write(i,f)),u!==void 0&&(c.value=this.write(u,f)),c}writeBytes(e){return(this.view.length<e.length||
this.view.length===0)&&this.grow(e.length),this.view.set(e),e.length}renew(){this.view=new Uint8Array(0)}read(e,t){return t===
0?"":this.decoder.decode(new Uint8Array(this.memory.buffer,e,t))}memoryView(){return this.whole.length===0&&(this.whole=
new Uint8Array(this.memory.buffer)),this.whole}copy(e,t){return new Uint8Array(this.memory.buffer,e,t).slice()}get memoryBytes(){
return this.memory.buffer.byteLength}letGo(){this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.core=void 0,this.
memory={buffer:new ArrayBuffer(0)}}grow(e){let t=Math.max(e,4096),r=this.core.scratch(t);this.view=new Uint8Array(this.memory.
buffer,r,t)}};function fe(n){return n===void 0?0:n.length}a(fe,"lengthOf");var Un=new WeakMap;function Bn(n){if(Wo(n))return n;let e=Un.get(n);if(e===void 0){let t=new AbortController;n.addEventListener(
"abort",()=>Kn(t,n),{once:!0}),Un.set(n,t),e=t}return n.aborted===!0&&Kn(e,n),e.signal}a(Bn,"tamed");function Kn(n,e){let t;
try{({reason:t}=e)}catch(r){t=r}n.abort(t)}a(Kn,"fire");var Bo=["aborted","reason","addEventListener","removeEventListen\
er"];function Wo(n){return Object.getPrototypeOf(n)===AbortSignal.prototype&&!Bo.some(e=>Object.hasOwn(n,e))}a(Wo,"isPla\
tforms");var Wn={prompt:"instructions",input:"instructions",concurrency:"maxConcurrent",maxsteps:"maxTurns",maxretries:"retry",abortsignal:"\
signal",name:"nickname"};function Jn(n,e){let t=Gn(n);if(t.length>40)return;let r,o=Number.POSITIVE_INFINITY,s=Object.hasOwn(
Wn,t)?Wn[t]:void 0;for(let i of e){if(i===s)return i;let u=Go(t,Gn(i));u>=o||(o=u,r=i)}return r}a(Jn,"nearestOf");function Gn(n){
return n.toLowerCase().replaceAll(/[_-]/g,"")}a(Gn,"plain");function Go(n,e){let[t,r]=n.length<e.length?[n,e]:[e,n],o=Jo(
n,e);return o<=Math.min(3,Math.floor(r.length/3))?o:t.length>=3&&r.startsWith(t)?40+o:Number.POSITIVE_INFINITY}a(Go,"dis\
tanceOf");function Jo(n,e){let t=[],r=Array.from({length:e.length+1},(o,s)=>s);for(let o=1;o<=n.length;o+=1){let s=[o];for(let i=1;i<=
e.length;i+=1){let u=n[o-1]===e[i-1],d=Math.min((r[i]??0)+1,(s[i-1]??0)+1,(r[i-1]??0)+(u?0:1));o>1&&n[o-1]===e[i-2]&&n[o-
2]===e[i-1]&&(d=Math.min(d,(t[i-2]??0)+1)),s.push(d)}[t,r]=[r,s]}return r[e.length]??0}a(Jo,"editsOf");var Hn=100,Vn=1048576,_=16777216;function v(n,e,t="an object"){return R(n,()=>{if(le(n,e,t),Array.isArray(e))throw b(n,t,
e);let r=Object.create(null);for(let o of qn(e)){let s=Object.getOwnPropertyNames(o),i=Object.keys(o).length===s.length;
for(let u of s)!(u in r)&&(i||Ho(o,u))&&(r[u]=e[u])}return r})}a(v,"optionsOf");function Ho(n,e){let{enumerable:t,get:r}=Object.
getOwnPropertyDescriptor(n,e)??{};return t===!0||r!==void 0}a(Ho,"isGiven");function qn(n){let e=[n],t=Object.getPrototypeOf(
n);for(;t!==null&&!Vo(t);){if(e.push(t)>Hn)throw new Error(`it inherits from more than ${Hn} objects`);t=Object.getPrototypeOf(
t)}return e}a(qn,"levelsOf");function Vo(n){return n===Object.prototype||Object.getPrototypeOf(n)===null&&Object.hasOwn(
n,"hasOwnProperty")}a(Vo,"isRoot");function re(n,e){return Y(n,e,n[e])}a(re,"propertyOf");function Y(n,e,t){return t===void 0||
Object.hasOwn(n,e)||Object.getPrototypeOf(n)!==Object.prototype&&qn(n).some(o=>Object.hasOwn(o,e))?t:void 0}a(Y,"ownOf");
function le(n,e,t="an object"){if(typeof e=="object"&&e!==null)return e;throw b(n,t,e)}a(le,"objectOf");function F(n,e,t,r){
return R(n,()=>{if(!Array.isArray(t))throw b(n,e,t);let{length:o}=t;if(!(o<=Vn))throw b(n,`a list of at most ${Vn} entri\
es`,o);let s=[];for(let i=0;i<o;i+=1){let u=n.endsWith("`")?`${n.slice(0,-1)}[${i}]\``:`${n}[${i}]`;s.push(r(Object.hasOwn(
t,i)?R(u,()=>t[i]):void 0,u))}return s})}a(F,"listOf");function Yn(n,e){return F(n,"a list",e,t=>t)}a(Yn,"entriesOf");function Wt(n){
return typeof n=="string"&&n.length<=_}a(Wt,"isText");function E(n,e){if(Wt(e))return e;throw b(n,typeof e=="string"?`a \
text of at most ${_} characters`:"a string",e)}a(E,"textOf");function me(n,e){let t=E(n,e);if(Gt(t))return t;throw b(n,"\
well-formed text, as `toWellFormed()` makes it",e)}a(me,"nameOf");function Gt(n){return n.isWellFormed?.()??!qo.test(n)}
a(Gt,"isWellFormed");var qo=/\p{Surrogate}/u;function zn(n,e,t,r=`the options of ${n}`){return R(r,()=>{let o=v(r,e),s=Object.
keys(o).find(i=>!t.includes(i));if(s!==void 0)throw Te(n,s,t);return o})}a(zn,"knownOptions");function z(n,e){return new g("invalid_argument",`${n} say the same: give one`,{argument:e})}a(z,"saidTwice");function Te(n,e,t){
return ve(`${n} has no option \`${e}\``,e,t,{argument:e})}a(Te,"unknownOption");function G(n,e,t){let[r]=Object.keys(e);
if(r===void 0)return;let o=`${n}.${r}`;throw ve(`\`${n}\` has no \`${r}\``,r,t,{argument:o},`; it has ${t.join(", ")}`)}
a(G,"noOtherFields");function Ve(n,e,t){return ve(`${n} has no \`${e}\``,e,t,{argument:e},`; it has ${t.join(", ")}`)}a(
Ve,"unknownField");function ve(n,e,t,r,o=""){let s=Jn(e,t);return s===void 0?new g("invalid_argument",n+o,r):new g("inva\
lid_argument",`${n}; did you mean \`${s}\`?`,{...r,suggestion:s})}a(ve,"unknownPart");function R(n,e){try{return e()}catch(t){
throw Jt(n,t)}}a(R,"readArgument");function Jt(n,e){return Ht(e)?e:new g("invalid_argument",`${n} can't be read: ${x(e)}`,
{argument:n.replaceAll("`","")},{cause:e})}a(Jt,"unreadable");function Ht(n){try{return n instanceof g}catch{return!1}}a(
Ht,"isOurs");function qe(n,e){if(e!==void 0)return R(n,()=>{let{aborted:t,addEventListener:r,removeEventListener:o}=Object(
e);if(typeof t=="boolean"&&typeof r=="function"&&typeof o=="function")return Bn(e);throw b(n,"an AbortSignal",e)})}a(qe,
"signalOf");var Yo=100,zo=500,Xo=["completed","cancelled","blocked_on_user"];function Qo({status:n="pending"}){return!Xo.includes(n)}
a(Qo,"isOpenTodo");function Xn(n){let e=0,t=[],r=F("`todos`","a list of { content, status }",n,(o,s)=>{let{content:i,description:u,
status:d="pending"}=Object(o),c=i??u;if(typeof c!="string")throw b(`the \`content\` or \`description\` of ${s}`,"a strin\
g",c);if(typeof d!="string")throw b(`the \`status\` of ${s}`,"a string",d);return{content:c,status:d}});for(let{content:o,
status:s}of r){let i={content:Ye(o,zo),status:Ye(s,40)};Qo(i)&&(e+=1),t.length<Yo&&t.push(i)}return{open:e,json:JSON.stringify(
t)}}a(Xn,"readTodos");function Qn(n,{slot:e,generation:t,run:r},{open:o,json:s}){let i=n.write(s);n.act(u=>u.todos(h(),e,
t,r,o,i))}a(Qn,"reportTodos");function je(n){return n===""?[]:JSON.parse(n)}a(je,"parseTodos");function Ye(n,e){return n.
length<=e?n:Array.from(n.slice(0,e*2)).slice(0,e).join("")}a(Ye,"firstChars");function J(n,e){return e===void 0?void 0:E(n,e)}a(J,"string");function X(n,e){return e===void 0?void 0:F(n,"a list of st\
rings",e,(t,r)=>E(r,t))}a(X,"strings");function ze(n,e){return e===void 0?void 0:me(n,e)}a(ze,"name");function $(n,e){if(e!==
void 0){if(typeof e=="number"&&e>=1&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw b(n,"a whole num\
ber of at least 1, or Infinity",e)}}a($,"count");function pe(n,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;throw b(
n,"a number above 0, or Infinity",e)}}a(pe,"amount");function Xe(n,e,t=!1){if(e!==void 0){if(t&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw b(n,`milliseconds ${t?"of at least":"above"} 0, or Infinity`,e)}}a(
Xe,"duration");function Zn(n,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw b(n,"a whol\
e number",e)}}a(Zn,"integer");function Pe(n,e){if(e===void 0)return{};let t=v(`\`${n}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:o,turns:s,...i}=t;G(n,i,["tokens","costUsd","turns"]);let u={},[d,c,f]=[$(`\`${n}.tokens\
\``,r),pe(`\`${n}.costUsd\``,o),$(`\`${n}.turns\``,s)];return d!==void 0&&(u.tokens=d),c!==void 0&&(u.costUsd=c),f!==void 0&&
(u.turns=f),u}a(Pe,"readBudget");function Q(n){let e=n;return e.isWellFormed?.()===!1?e.toWellFormed?.()??n:n}a(Q,"wellFormed");function Qe(n,e){let t=0;
for(let r=0;r<n.length;){let o=n.codePointAt(r);if(t+=o<128?1:o<2048?2:o<65536?3:4,t>e)return n.slice(0,r);r+=o>65535?2:
1}return n}a(Qe,"headOf");function Ze(n,e,t,r={left:e}){let o=Math.max(0,r.left-e),s=JSON.stringify(n,(i,u)=>{if(r.left-=typeof u=="string"?u.length:
1,r.left<o)throw new Error(t);return u});if(s!==void 0&&s.length>e)throw new Error(t);return s}a(Ze,"jsonWithin");var et=20,Zo=1e3;function er(n,e,t){let r=[],o=[],s=_,i={left:2*_},u=0;return F(n,"a list",e,(d,c)=>{if(u>=et&&i.left===
0){u+=1;return}try{let f=Ze(d,s,`the artifacts have more than ${_} characters`,i);if(f===void 0)throw new Error(`JSON ha\
s no ${w(d)}`);s=Math.max(0,s-f.length-1),o.push(f),r.push(d)}catch(f){u+=1,i.left=Math.max(0,i.left-Zo),u<=et&&t(`${c} \
was not kept: ${x(f)}`,c)}}),u>et&&t(`${u-et} more artifacts were not kept`,n),o.length===0?{artifacts:void 0,artifactsJson:void 0}:
{artifacts:r,artifactsJson:`[${o.join(",")}]`}}a(er,"readArtifacts");var H=Symbol("unreadable"),I=Symbol("unread");function tr(n,e){let t=n,r={usage:I,status:I,output:I,value:I,artifacts:I,
taskId:I,error:I};try{if(r.usage=t.usage,r.status=t.status,r.output=t.output,r.value=t.value,r.artifacts=t.artifacts,r.taskId=
t.taskId,r.error=t.error,Object.getPrototypeOf(t)===Object.prototype&&!or(rr))return r}catch(o){sr(t,r,o,e)}return ir(t,
r,e),r}a(tr,"fieldsOfResult");function nr(n){let e=n,t={costUsd:I,cost:I,tokens:I,inputTokens:I,outputTokens:I,turns:I,durationMs:I};
try{if(t.costUsd=e.costUsd,t.cost=e.cost,t.tokens=e.tokens,t.inputTokens=e.inputTokens,t.outputTokens=e.outputTokens,t.turns=
e.turns,t.durationMs=e.durationMs,Object.getPrototypeOf(e)===Object.prototype&&!or(rr))return t}catch(r){sr(e,t,r,()=>{})}
return ir(e,t,()=>{}),t}a(nr,"fieldsOfUsage");var rr={};function or(n){return"usage"in n||"status"in n||"output"in n||"v\
alue"in n||"artifacts"in n||"taskId"in n||"error"in n||"costUsd"in n||"cost"in n||"tokens"in n||"inputTokens"in n||"outp\
utTokens"in n||"turns"in n||"durationMs"in n}a(or,"isOnPrototype");function sr(n,e,t,r){let o=!1;for(let s of Object.keys(
e))if(e[s]===I){try{if(!o)throw t;e[s]=n[s]}catch(i){e[s]=H,r(s,i)}o=!0}}a(sr,"readApart");function ir(n,e,t){for(let r of Object.
keys(e))if(e[r]!==H)try{e[r]=Y(n,r,e[r])}catch(o){e[r]=H,t(r,o)}}a(ir,"keepOwn");var oe=0,es=1,ts=2,ns=3,rs=4,tt=5,os=6,C=-1;function ge(n){if(typeof n!="object"||n===null)return nt(`spawnSubAgent must\
 resolve to { output, status, usage }, it resolved to ${w(n)}`);let e=zt(oe),t=new qt(e),{usage:r,status:o,output:s,value:i,
artifacts:u,taskId:d,error:c}=tr(n,(f,l)=>t.unreadable(f,l));return he(r)||ss(r,e,t),e.how=ds(o,t),i!==H&&(e.value=i),typeof s==
"string"?e.output=Q(s):(!he(s)||e.how===oe&&e.value===void 0)&&(t.wrong("output","a string",s),e.how===oe&&(e.how=tt)),!he(
u)&&u!==H&&us(u,e,t),typeof d=="string"?e.hostTaskId=d===""?void 0:Vt(d):he(d)||t.wrong("taskId","a string",d),typeof o==
"string"&&o!=="completed"&&(e.hostStatus=Vt(o)),!he(c)&&c!==""&&c!==H&&(e.error=Q(Vt(x(c))),typeof c=="object"&&(e.cause??=
c)),t.say(),e}a(ge,"readResult");var qt=class{static{a(this,"Lost")}sentences=void 0;returned;constructor(e){this.returned=
e}unreadable(e,t){this.sentences===void 0&&(this.returned.cause=t),this.add(`the result's ${e} can't be read: ${x(t)}`)}wrong(e,t,r){
r!==H&&this.add(`the result's ${e} must be ${t}, got ${w(r)}`)}add(e){this.sentences??=[],this.sentences.push(e)}say(){if(this.
sentences===void 0)return;let{error:e}=this.returned;this.returned.error=[...e===void 0?[]:[e],...this.sentences].join("\
; ")}};function he(n){return n==null}a(he,"isAbsent");function ss(n,e,t){if(typeof n!="object"||n===null||!as(n)){t.wrong(
"usage","{ tokens, costUsd, turns }",n),e.tokens=e.cost=e.turns=Number.NaN;return}let r=nr(n),o=U(r.costUsd);if(e.tokens=
Yt(r.tokens,r.inputTokens,r.outputTokens),e.cost=o===C?U(r.cost):o,e.turns=U(r.turns),e.durationMs=U(r.durationMs),e.tokens!==
C||e.cost!==C||e.turns!==C||e.durationMs!==C)return;let s=is(n);s.length!==0&&(t.add(`the result's usage has none of tok\
ens, costUsd, turns; it has ${s.map(w).join(", ")}`),e.tokens=e.cost=e.turns=Number.NaN)}a(ss,"readUsage");function is(n){
try{return Object.entries(n).filter(([,t])=>!he(t)).slice(0,5).map(([t])=>t)}catch{return[]}}a(is,"namesIn");function as(n){
try{return!Array.isArray(n)&&typeof Y(n,"then",n.then)!="function"}catch{return!1}}a(as,"isUsage");function us(n,e,t){try{
let{artifacts:r,artifactsJson:o}=er("artifacts",n,s=>t.add(s));e.artifacts=r,e.artifactsJson=o}catch(r){t.add(x(r))}}a(us,
"readArtifactsOf");function Vt(n){return n.length>_?n.slice(0,_):n}a(Vt,"cut");function ur(n,e,t){if(n.how!==oe)return n;
let r=e.check(n.value,t);return r instanceof Promise?r.then(o=>ar(n,o)):ar(n,r)}a(ur,"checkValue");function ar(n,e){if("\
wrong"in e){let o=[e.wrong,...n.error===void 0?[]:[n.error]].join("; ");return{...n,how:tt,error:o,value:void 0}}let{value:t,
json:r}=e;return{...n,value:t,valueJson:r,output:n.output||r}}a(ar,"judged");function U(n){return n==null?C:typeof n=="n\
umber"&&n>=0?n:Number.NaN}a(U,"reading");function Yt(n,e,t){let r=U(n),[o,s]=[U(e),U(t)];return r!==C||o===C&&s===C?r:(o===
C?0:o)+(s===C?0:s)}a(Yt,"totalTokens");function ds(n,e){switch(n){case void 0:case null:case"completed":return oe;case"f\
ailed":case"error":return es;case"cancelled":case"aborted":return ts;case"timed_out":case"timeout":return ns;default:return typeof n!=
"string"&&e.wrong("status","a string",n),n===H?tt:oe}}a(ds,"statusOf");function zt(n){return{how:n,output:"",error:void 0,
cause:void 0,hostStatus:void 0,hostTaskId:void 0,artifacts:void 0,artifactsJson:void 0,value:void 0,valueJson:void 0,tokens:C,
cost:C,turns:C,durationMs:C}}a(zt,"empty");function nt(n,e){let t=zt(tt);return t.error=n,t.cause=e,t}a(nt,"invalidResul\
t");function be(){let n=zt(oe);return n.tokens=n.cost=n.turns=0,n}a(be,"nothing");function rt(n,e){let t=nt(n,e);return t.
how=Fn(e,"worker_lost")?os:rs,t}a(rt,"threw");function dr(n,e,t){if(!n.knowsTools&&t===void 0)return e;let r={},{runtime:o,slot:s,generation:i}=n;if(n.knowsTools){let u=n.
snapshot().tools??[];fs(t?.tools,u)||(r.tools=[...u])}if(t?.maxTurns!==void 0||t?.maxCost!==void 0){let u=o.call(d=>d.runLimits(
s,i));t.maxTurns!==void 0&&u!==void 0&&u.maxTurns<t.maxTurns&&(r.maxTurns=u.maxTurns),t.maxCost!==void 0&&u!==void 0&&u.
costUsd<t.maxCost&&(r.maxCost=u.costUsd)}return Object.keys(r).length===0?e:cs(e,r)}a(dr,"allowed");function cs(n,e){let t=Object.
getOwnPropertyDescriptors(n);for(let[r,o]of Object.entries(e))t[r]={value:o,enumerable:!0,writable:!0,configurable:!0};return Object.
create(Object.getPrototypeOf(n),t)}a(cs,"replaced");function fs(n,e){return n?.length===e.length&&e.every((t,r)=>t===n[r])}
a(fs,"isSame");var se=[{name:"label",alias:void 0,staged:"label",kind:"label",isDefined:!1},{name:"nickname",alias:void 0,staged:"nickn\
ame",kind:"name",isDefined:!1},{name:"contextHint",alias:void 0,staged:"contextHint",kind:"text",isDefined:!0},{name:"to\
ols",alias:void 0,staged:"tools",kind:"texts",isDefined:!0},{name:"systemPrompt",alias:void 0,staged:"systemPrompt",kind:"\
text",isDefined:!1},{name:"profile",alias:"promptProfile",staged:"profile",kind:"reference",isDefined:!0},{name:"modelId",
alias:void 0,staged:"modelId",kind:"text",isDefined:!1},{name:"agent",alias:"agentId",staged:"sourceAgentId",kind:"refer\
ence",isDefined:!1},{name:"maxTurns",alias:"maxSteps",staged:"maxTurns",kind:"count",isDefined:!0},{name:"timeoutMs",alias:void 0,
staged:"timeoutMs",kind:"duration",isDefined:!0},{name:"idleTimeoutMs",alias:void 0,staged:"idleTimeoutMs",kind:"duratio\
n",isDefined:!0},{name:"turnEstimate",alias:void 0,staged:"turnEstimate",kind:"count",isDefined:!0},{name:"priority",alias:void 0,
staged:"priority",kind:"integer",isDefined:!0},{name:"rateLimitKey",alias:void 0,staged:"rateLimitKey",kind:"name",isDefined:!0},
{name:"onParentEnd",alias:void 0,staged:"onParentEnd",kind:"onParentEnd",isDefined:!1},{name:"metadata",alias:void 0,staged:"\
metadata",kind:"metadata",isDefined:!1},{name:"retry",alias:void 0,staged:"retry",kind:"retry",isDefined:!0},{name:"turn\
EstimateUsd",alias:void 0,staged:"turnEstimateUsd",kind:"dollars",isDefined:!0}];var cr={tokens:Number.NaN,cost:Number.NaN},ls=["label","profile","onParentEnd"],V=class n{static{a(this,"ActiveRun")}static{
Object.setPrototypeOf(n.prototype,null)}slot=0;generation=0;run=0;hostOpen=!1;settled=!1;knowsTools=!1;abortedEarly=!1;text=void 0;#e=void 0;#t=void 0;result=void 0;returned=void 0;turn=void 0;agent=void 0;#n=void 0;given;asked;isAllowed=!1;handed=void 0;controller=void 0;id=void 0;view=void 0;#r=void 0;runtime;constructor(e,t,r){
this.runtime=e,this.given=t,this.asked=r}get format(){return this.#t??=this.snapshot().format,this.#t}set format(e){this.#t=
e}get background(){return this.#e??=this.snapshot().background,this.#e}set background(e){this.#e=e}get check(){return this.#n??
this.runtime.sessionData.checkOf(this.slot,this.generation)}set check(e){this.#n=e}get taskId(){return this.id??=this.runtime.
lookup.taskId(this.slot,this.generation),this.id}get latest(){let e=this;for(;e.successor!==void 0;)e=e.successor;return e}again(e){
let t=new n(this.runtime,this.given);return t.slot=this.slot,t.generation=this.generation,t.run=this.run+1,t.text=this.text,
t.#e=this.#e,t.#t=this.#t,t.#n=this.#n,t.watch=this.watch,t.before=this.returned,t.previousError={reason:e,error:this.returned?.
error??null},[t.followers,this.followers]=[this.followers,void 0],[t.unfollow,this.unfollow]=[this.unfollow,void 0],this.
named?.resolve(),this.successor=t,t}follow(e){this.followers??=[],this.followers.push(e)}expectName(){let e=a(()=>{},"re\
solve"),t=new Promise(r=>{e=r});this.named={promise:t,resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.
starting=void 0),e}params(){if(this.given===void 0){let{tools:e,systemPrompt:t,maxTurns:r,background:o}=this.snapshot(),
s={instructions:this.prompt(),maxTurns:r,background:o,...e&&{tools:e},...t&&{systemPrompt:t}};this.given=this.runtime.journal?.
goesOn===!0?{...s,...this.keptParams()}:s}else this.isAllowed||(this.given=dr(this,this.given,this.asked));return this.isAllowed=
!0,this.given}keptParams(){let e={...this.snapshot()},t=se.filter(({staged:r})=>!ls.includes(r)).map(({name:r,staged:o})=>[
r,e[o]]);return Object.fromEntries(t.filter(([,r])=>r!=null&&r!==""))}handedRun(){return this.handed??=this.runtime.makeRun(
this),this.handed}prompt(){return this.text??this.runtime.call(e=>e.message(this.slot))}snapshot(){return this.view??=this.
runtime.lookup.snapshot(this.slot,this.generation),this.view}brief(){return this.#r??=this.runtime.lookup.brief(this.slot,
this.generation),this.#r}get signal(){return this.controller===void 0&&(this.controller=new AbortController,this.aborted!==
void 0&&this.controller.abort(this.abortError(this.aborted))),this.controller.signal}abort(e){this.aborted=e,this.controller?.
abort(this.abortError(e))}abortError(e){return new g("aborted",`the sub-agent was told to stop: ${e}`,{reason:e})}};var ms=["tokens","inputTokens","outputTokens","costUsd","contextTokens","message","todos"];function fr(n,e,t){let r,o=cr;
try{t!==void 0&&(o=hs(t));let i=e.agent;if(e.turn!==void 0||i?.asksForTurn===!0)throw new g("invalid_argument","the last\
 beforeTurn has not answered yet");let{gates:u,runs:d}=n;u.sub.has("before_turn")||i?.hasInjected===!0?r=u.beforeTurn(u.
agentOf(e),()=>d.takeTurn(e,o)):r=d.takeTurn(e,o)}catch(i){r=Promise.reject(i)}let s=n.answer(r);return e.watch===void 0?
s:ps(e,s)}a(fr,"beforeTurn");async function ps(n,e){let t=await e;return t.go&&n.watch?.(n,{turn:t.turn}),t}a(ps,"watche\
d");function hs(n){return R("the options of beforeTurn",()=>{let{tokens:e,costUsd:t}=zn("beforeTurn",n,["tokens","costUs\
d"]),r=t===0?0:pe("`costUsd`",t);return{tokens:$("`tokens`",e)??Number.NaN,cost:r??Number.NaN}})}a(hs,"estimateOf");function lr(n,e,t){
let{tokens:r,costUsd:o,contextTokens:s,message:i,list:u}=R("a report",()=>{let{tokens:m,inputTokens:p,outputTokens:k,costUsd:y,
contextTokens:S,message:O,todos:A,...q}=v("a report",t),Mt=Yt(m,p,k);for(let Le of Object.keys(q))throw Ve("a report",Le,
ms);return O!==void 0&&E("`message`",O),{tokens:Mt,costUsd:y,contextTokens:S,message:O,list:A===void 0?void 0:Xn(A)}});if(n.
isClosed)return;i!==void 0&&n.gates.agentOf(e).say(i);let d=i===void 0?4294967295:n.write(i),{slot:c,generation:f,run:l}=e;
n.act(m=>m.report(h(),c,f,l,r,U(o),U(s),d)),u!==void 0&&Qn(n,e,u),i!==void 0&&e.watch!==void 0&&n.onceKept(()=>e.watch?.(
e,{message:i}))}a(lr,"reportOn");var ot=class{static{a(this,"BareRun")}#e;#t;constructor(e,t){this.#e=e,this.#t=t}get taskId(){return this.#t.taskId}get run(){
return this.#t.run}get prompt(){return this.#t.prompt()}get signal(){return this.#t.signal}beforeTurn(e){return fr(this.#e,
this.#t,e)}report(e){lr(this.#e,this.#t,e)}};var gs={triggerAsyncId:void 0,requireManualDestroy:!1},mr;function hr(){return mr??={capture:bs(globalThis)},mr.capture}
a(hr,"capture");function bs({process:n,AsyncLocalStorage:e,AsyncContext:t}){let r=pr(ys(n))??pr(e&&{AsyncLocalStorage:e});if(r!==void 0)
return r;let o=t?.Snapshot;if(typeof o=="function")return Qt(()=>{let s=new o;return{runInAsyncScope:a((i,u,...d)=>s.run(
()=>i.apply(u,d)),"runInAsyncScope")}})}a(bs,"find");function ys(n){try{return n?.getBuiltinModule?.("async_hooks")}catch{
return}}a(ys,"builtIn");function pr(n){let{AsyncResource:e,AsyncLocalStorage:t}=n??{};if(typeof e=="function")return Qt(
()=>new e("SubAgent",gs));if(typeof t?.snapshot=="function")return Qt(()=>{let r=t.snapshot();return{runInAsyncScope:a((o,s,...i)=>r(
()=>o.apply(s,i)),"runInAsyncScope")}})}a(pr,"captureOf");function Qt(n){try{return n().runInAsyncScope(()=>!0)?n:void 0}catch{
return}}a(Qt,"tried");function Z(n){let e=hr()?.();return e===void 0?n:((...t)=>e.runInAsyncScope(n,void 0,...t))}a(Z,"b\
ound");var st=class{static{a(this,"Contexts")}kept=[];generations=[];capture=hr();opening=this.capture?.();entered=void 0;get matter(){
return this.capture!==void 0}keep(e,t){this.capture!==void 0&&(this.kept[e]=this.capture(),this.generations[e]=t)}enter(e){
let t=this.entered;return this.entered=this.kept[e],t}leave(e){this.entered=e}run(e,t,r){let o=this.generations[e]===t?this.
kept[e]:this.opening;return o===void 0||o===this.entered?r():o.runInAsyncScope(r)}taskForgotten(e,t){this.generations[e]===
t&&(this.kept[e]=void 0)}clear(){this.kept.length=0,this.generations.length=0}};var gr=16384,br=32;function yr(n,e){if(e!==void 0){if(typeof e!="object"||e===null||Array.isArray(e))throw it(n,"a plain\
 object of JSON values",e);return en(e,n,0,{left:gr,what:"metadata",most:gr})}}a(yr,"readMetadata");function wr(n){return n===null?null:JSON.parse(n)}a(wr,"metadataOf");function it(n,e,t){return b(`\`${n}\``,e,t)}a(it,"w\
rong");function en(n,e,t,r){if(typeof n=="string"||typeof n=="boolean"||n===null)return Zt(JSON.stringify(n),r);if(typeof n==
"number"){if(!Number.isFinite(n))throw it(e,"a number that JSON has",n);return Zt(JSON.stringify(n),r)}if(typeof n!="obj\
ect")throw it(e,"a value that JSON has",n);if(t>=br)throw new g("invalid_argument",`\`${e}\` nests deeper than ${br} lev\
els`,{argument:e});if(r.left-=2,Array.isArray(n)){let i=[];for(let u=0;u<n.length;u+=1){if(!Object.hasOwn(n,u))throw it(
`${e}[${u}]`,"a value that JSON has",void 0);i.push(en(n[u],`${e}[${u}]`,t+1,r))}return`[${i.join(",")}]`}let o=Object.getPrototypeOf(
n);if(o!==null&&Object.getPrototypeOf(o)!==null)throw new g("invalid_argument",`\`${e}\` must be a plain object of JSON v\
alues, got ${w(n)} of a class`,{argument:e});let s=[];for(let i of Object.keys(n)){let u=n[i];if(u===void 0)continue;let d=Zt(
JSON.stringify(i),r);s.push(`${d}:${en(u,/^[\w$]{1,40}$/.test(i)?`${e}.${i}`:`${e}[…]`,t+1,r)}`)}return`{${s.join(",")}\
}`}a(en,"jsonOf");function Zt(n,e){if(e.left-=n.length+1,e.left>=0)return n;let{what:t,most:r}=e,o=`\`${t}\` must have at\
 most ${r} characters of JSON: keep what is larger yourself, under the sub-agent's id`;throw new g("invalid_argument",o,
{argument:t,limit:r})}a(Zt,"spent");var ee=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],T=["finished","h\
ost_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget\
_exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","\
marked_failed","host_lost","never_reported"],at=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var kr=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],Sr=["inject","\
force_turn","block","finish"],tn=["adopt","wait","cancel"];function ut(n,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:t,backoffMs:r,on:o,...s}=v(`\`${n}\``,e);G(n,s,["m\
ax","backoffMs","on"]);let i=$(`\`${n}.max\``,t);if(i===void 0)throw b(`\`${n}.max\``,"a whole number of at least 1, or \
Infinity",t);let u={max:i};if(r!==void 0){if(typeof r!="number"||!(r>0)||!Number.isFinite(r))throw b(`\`${n}.backoffMs\``,
"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(o!==void 0){let d=`a list of ${at.join(", ")}`;if(u.on=
F(`\`${n}.on\``,d,o,(c,f)=>{if(!at.includes(c))throw b(f,`one of ${at.join(", ")}`,c);return c}),u.on.length===0)throw b(
`\`${n}.on\``,d,o)}return u}a(ut,"readRetry");var ws=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format"]),nn={string:a(n=>typeof n=="string","string"),number:a(n=>typeof n=="number","number"),
integer:a(n=>Number.isInteger(n),"integer"),boolean:a(n=>typeof n=="boolean","boolean"),null:a(n=>n===null,"null"),array:a(
n=>Array.isArray(n),"array"),object:N};function xr(n){return new an(n).read(n,"")}a(xr,"readJsonSchema");var an=class{static{
a(this,"Reader")}#e;#t=new Map;constructor(e){this.#e=e}read(e,t){if(e===!0)return()=>{};if(e===!1)return(i,u)=>`${u} mu\
st not be there`;if(!N(e))throw D(t,`must be an object or a boolean, got ${w(e)}`);let r=this.#t.get(e);if(r!==void 0)return r;
let o=[],s=a((i,u)=>{for(let d of o){let c=d(i,u);if(c!==void 0)return c}},"check");this.#t.set(e,s);for(let i of Object.
keys(e)){if(ws.has(i))continue;let u=Object.hasOwn(un,i)?un[i]:void 0;if(u===void 0)throw D(t,`has \`${i}\`, which is not\
 checked here; it may have ${xs}`);o.push(u({reader:this,schema:e,place:`${t}/${i}`,given:e[i]}))}return s}find(e,t){if(e===
"#")return this.#e;if(!e.startsWith("#/"))throw D(t,`refers to ${w(e)}; only references within the schema are read`);let r=this.#e;
for(let o of e.slice(2).split("/")){let s=o.replaceAll("~1","/").replaceAll("~0","~");r=N(r)&&Object.hasOwn(r,s)?r[s]:void 0}
if(r===void 0)throw D(t,`refers to ${w(e)}, which is not there`);return r}};function D(n,e){let t=n===""?"`schema`":`\`sc\
hema\` at ${n}`;return new g("invalid_argument",`${t} ${e}`,{argument:"schema"})}a(D,"refused");function N(n){return typeof n==
"object"&&n!==null&&!Array.isArray(n)}a(N,"isObject");function L({given:n,place:e},t=Number.NEGATIVE_INFINITY){if(typeof n==
"number"&&n>=t)return n;throw D(e,`must be a number${t===0?" of at least 0":""}, got ${w(n)}`)}a(L,"number");function Ee({
given:n,place:e}){if(Array.isArray(n)&&n.length>0)return n;throw D(e,`must be a list that is not empty, got ${w(n)}`)}a(
Ee,"list");function ks({given:n,place:e}){if(N(n))return n;throw D(e,`must be an object, got ${w(n)}`)}a(ks,"object");var Ie=a(
(n,e)=>(t,r)=>typeof t=="number"&&!n(t)?`${r} must be ${e}`:void 0,"ofNumbers"),rn=a((n,e)=>(t,r)=>typeof t=="string"&&!n(
t)?`${r} must have ${e}`:void 0,"ofTexts"),on=a((n,e)=>(t,r)=>Array.isArray(t)&&!n(t)?`${r} must have ${e}`:void 0,"ofLi\
sts");function dt(n,e){if(Object.is(n,e)||n===e)return!0;if(Array.isArray(n)&&Array.isArray(e))return n.length===e.length&&
n.every((o,s)=>dt(o,e[s]));if(!N(n)||!N(e))return!1;let[t,r]=[Object.keys(n),Object.keys(e)];return t.length===r.length&&
t.every(o=>Object.hasOwn(e,o)&&dt(n[o],e[o]))}a(dt,"same");function Ss(n){return JSON.stringify(n,(e,t)=>N(t)?Object.fromEntries(
Object.entries(t).sort(([r],[o])=>r<o?-1:1)):t)}a(Ss,"canonical");var Ar=a(n=>[...n].length,"points"),sn=a((n,e)=>/^[A-Za-z_$][\w$]*$/.
test(e)?`${n}.${e}`:`${n}[${JSON.stringify(e)}]`,"field"),un={type({given:n,place:e}){let t=Array.isArray(n)?n:[n],r=t.map(
s=>typeof s=="string"&&Object.hasOwn(nn,s)?nn[s]:void 0);if(r.length===0||r.includes(void 0))throw D(e,`must be ${Object.
keys(nn).join(", ")}, or a list of these; got ${w(n)}`);let o=t.join(" or ");return(s,i)=>r.some(u=>u?.(s))?void 0:`${i}\
 must be of the type ${o}, got ${w(s)}`},enum(n){let e=Ee(n);return(t,r)=>e.some(o=>dt(o,t))?void 0:`${r} must be one of\
 ${JSON.stringify(e)}`},const({given:n}){return(e,t)=>dt(n,e)?void 0:`${t} must be ${JSON.stringify(n)}`},properties(n){
let e=Object.entries(ks(n)).map(([t,r])=>[t,n.reader.read(r,`${n.place}/${t}`)]);return(t,r)=>{if(N(t))for(let[o,s]of e){
let i=Object.hasOwn(t,o)?s(t[o],sn(r,o)):void 0;if(i!==void 0)return i}}},required({given:n,place:e}){if(!Array.isArray(
n)||!n.every(r=>typeof r=="string"))throw D(e,"must be a list of names");let t=n;return(r,o)=>{let s=N(r)?t.find(i=>!Object.
hasOwn(r,i)):void 0;return s===void 0?void 0:`${sn(o,s)} is missing`}},additionalProperties({reader:n,schema:e,given:t,place:r}){
let o=new Set(N(e.properties)?Object.keys(e.properties):[]),s=n.read(t,r);return(i,u)=>{if(N(i))for(let d of Object.keys(
i)){let c=o.has(d)?void 0:s(i[d],sn(u,d));if(c!==void 0)return c}}},minProperties:a(n=>{let e=L(n,0);return(t,r)=>N(t)&&
Object.keys(t).length<e?`${r} must have at least ${e} fields`:void 0},"minProperties"),maxProperties:a(n=>{let e=L(n,0);
return(t,r)=>N(t)&&Object.keys(t).length>e?`${r} must have at most ${e} fields`:void 0},"maxProperties"),items({reader:n,
schema:e,given:t,place:r}){let o=Array.isArray(e.prefixItems)?e.prefixItems.length:0,s=n.read(t,r);return(i,u)=>{if(Array.
isArray(i))for(let d=o;d<i.length;d+=1){let c=s(i[d],`${u}[${d}]`);if(c!==void 0)return c}}},prefixItems(n){let e=Ee(n).
map((t,r)=>n.reader.read(t,`${n.place}/${r}`));return(t,r)=>{if(Array.isArray(t))for(let[o,s]of e.entries()){let i=o<t.length?
s(t[o],`${r}[${o}]`):void 0;if(i!==void 0)return i}}},minItems:a(n=>{let e=L(n,0);return on(t=>t.length>=e,`at least ${e}\
 entries`)},"minItems"),maxItems:a(n=>{let e=L(n,0);return on(t=>t.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:a(
({given:n})=>on(e=>n!==!0||new Set(e.map(Ss)).size===e.length,"no entry twice"),"uniqueItems"),minimum:a(n=>{let e=L(n);
return Ie(t=>t>=e,`at least ${e}`)},"minimum"),maximum:a(n=>{let e=L(n);return Ie(t=>t<=e,`at most ${e}`)},"maximum"),exclusiveMinimum:a(
n=>{let e=L(n);return Ie(t=>t>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:a(n=>{let e=L(n);return Ie(t=>t<
e,`less than ${e}`)},"exclusiveMaximum"),multipleOf:a(n=>{let e=L(n);if(e<=0)throw D(n.place,"must be above 0");return Ie(
a(r=>Math.abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:a(n=>{let e=L(n,0);return rn(
t=>Ar(t)>=e,`at least ${e} characters`)},"minLength"),maxLength:a(n=>{let e=L(n,0);return rn(t=>Ar(t)<=e,`at most ${e} c\
haracters`)},"maxLength"),pattern({given:n,place:e}){let t;try{t=new RegExp(n,"u")}catch(r){throw D(e,`is no regular exp\
ression: ${r.message}`)}return rn(r=>t.test(r),`the pattern ${t.source}`)},allOf(n){let e=Ee(n).map((t,r)=>n.reader.read(
t,`${n.place}/${r}`));return(t,r)=>e.reduce((o,s)=>o??s(t,r),void 0)},anyOf(n){let e=Ee(n).map((t,r)=>n.reader.read(t,`${n.
place}/${r}`));return(t,r)=>{let o=e.map(s=>s(t,r));return o.includes(void 0)?void 0:`${r} fits none of the alternatives\
: ${o.join("; ")}`}},oneOf(n){let e=Ee(n).map((t,r)=>n.reader.read(t,`${n.place}/${r}`));return(t,r)=>{let o=e.map(i=>i(
t,r)),s=o.filter(i=>i===void 0).length;if(s!==1)return s>1?`${r} fits ${s} alternatives, not one`:`${r} fits none of the\
 alternatives: ${o.join("; ")}`}},not({reader:n,given:e,place:t}){let r=n.read(e,t);return(o,s)=>r(o,s)===void 0?`${s} m\
ust not be as it is`:void 0},$ref({reader:n,given:e,place:t}){if(typeof e!="string")throw D(t,`must be a text, got ${w(e)}`);
return n.read(n.find(e,t),e)}},As=Object.keys(un),xs=As.join(", ");function Or(n){if(n===void 0)return;if((typeof n=="object"&&n!==null||typeof n=="function")&&"~standard"in n)return Os(n);
if(typeof n!="object"||n===null||Array.isArray(n))throw b("`schema`","a Standard Schema or a JSON Schema object",n);let t=xr(
n);return{schema:n,check(r,o){if(r===void 0)return Rr;let s=Tr(r,o);if("wrong"in s)return s;let i=JSON.parse(s.json);try{
let u=t(i,"value");return u===void 0?{value:i,json:s.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${x(u)}`}}}}}
a(Or,"readSchema");var Rr={wrong:"the result has no `value`, and its `schema` asks for one"};function Os(n){let e=n["~st\
andard"],{validate:t}=typeof e=="object"&&e!==null?e:{};if(typeof t!="function")throw b("`schema`","a Standard Schema wi\
th `validate`",n);return{schema:n,check(r,o){if(r===void 0)return Rr;let s=a(u=>({wrong:`the schema failed: ${x(u)}`}),"\
failed"),i=a(u=>{try{return Rs(u,o)}catch(d){return s(d)}},"judge");try{let u=t(r);return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(i,s):i(u)}catch(u){return s(u)}}}}a(Os,"readStandard");function Rs(n,e){
if(typeof n!="object"||n===null)return{wrong:`the schema failed: it answered ${w(n)}`};if(n.issues!==void 0)return{wrong:n.
issues.map(Ts).join("; ")||"the schema refused the value"};let t=Tr(n.value,e);return"wrong"in t?t:{value:n.value,json:t.
json}}a(Rs,"judged");function Ts({message:n,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${n}`}a(Ts,"sayIssue");function Tr(n,e){let t=`as JSON, and \`maxResultBy\
tes\` allows ${e}`,r=Math.max(e,_),o;try{o=Ze(n,r,`it has more than ${r} bytes ${t}`)}catch(i){return{wrong:`value is no\
 JSON: ${x(i)}`}}if(o===void 0)return{wrong:`value is no JSON: ${w(n)}`};let s=o.length*3<=e?o.length:new TextEncoder().
encode(o).length;return s>e?{wrong:`value has ${s} bytes ${t}`}:{json:o}}a(Tr,"store");function ct(n){return n.staged??=$r({}),n.staged}a(ct,"stagedBy");var vs=["instructions","goal","message","task","taskDe\
scription","task_description"],vr=(()=>{let n=se.flatMap(({name:e,alias:t})=>t===void 0?[e]:[e,t]);return new Set([...n,
"idempotencyKey","origin","format"])})(),jr=new Set(["instructions","goal","message","task","taskDescription","task_desc\
ription","maxCost","budget","signal","schema"]);function Ce(n,e,t=!1){try{return js(n,e,t)}catch(r){throw Jt("the option\
s of spawn",r)}}a(Ce,"readSpawn");function js(n,e,t){let o=typeof n=="object"&&n!==null&&Object.getPrototypeOf(n)===Object.
prototype?n:v("the options of spawn",n),s={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.NaN,cost:Number.
NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0},i,u=!1;for(let d of Object.getOwnPropertyNames(
o))if(d==="instructions")s.text=_r(o,d,s.text);else if(vr.has(d))i??={__proto__:null},i[d]=o[d];else if(d==="background"){
let{background:c}=o;if(c!==void 0&&typeof c!="boolean")throw b("`background`","a boolean",c);s.background=c===!0,u=c!==void 0}else if(jr.
has(d))Cs(s,o,d);else if(Object.prototype.propertyIsEnumerable.call(o,d))throw Te("spawn",d,[...vr,...jr,"background"]);
if(Number.isNaN(s.cost)||(s.asked=Pr(s,o)),i!==void 0||t&&!Number.isNaN(s.cost)){if(s.staged=$r(i??{}),s.asked=Pr(s,o),t&&
Ps(s,s.staged),s.staged.idempotencyKey!==void 0&&(s.staged.parameters=Es(s)),e?.agents.fill(s,s.staged,u),s.staged.onParentEnd!==
void 0&&!s.background)throw new g("invalid_argument","`onParentEnd` is for `background: true`: others end with their cal\
ler",{argument:"onParentEnd"});s.staged.profile!==void 0&&e?.profiles.check(s.staged.profile)}return s}a(js,"read");function Pr({
staged:n,cost:e},t){return{tools:n?.tools,maxTurns:Object.hasOwn(t,"maxTurns")?n?.maxTurns:void 0,maxCost:Object.hasOwn(
t,"maxCost")&&!Number.isNaN(e)?e:void 0}}a(Pr,"askedOf");function Ps(n,e){e.wishedTurns=e.maxTurns,e.maxTurns=void 0,!Number.
isNaN(n.cost)&&(e.wishedCost=n.cost,n.cost=Number.NaN)}a(Ps,"wish");function Es({signal:n,renamed:e,asked:t,schema:r,staged:o,
...s}){let{idempotencyKey:i,metadata:u,...d}=o;return JSON.stringify({...s,...d,...r&&{schema:!0}},(c,f)=>typeof f=="num\
ber"?`${f}`:f)}a(Es,"parametersOf");function _r(n,e,t){let r=n[e];if(r===void 0)return t;let o=Wt(r)?r:E(`\`${e}\``,r);if(t!==
void 0)throw Er(e,`says the same as another option: give one of ${vs.join(", ")}`);if(Is(o))throw Er(e,"must not be empt\
y");return Q(o)}a(_r,"readText");function Er(n,e){return new g("invalid_argument",`\`${n}\` ${e}`,{argument:n})}a(Er,"wr\
ongText");function Is(n){let e=n.charCodeAt(0);return!(e>32&&e<127)&&n.trim()===""}a(Is,"isBlank");function Cs(n,e,t){switch(t){case"\
maxCost":{let r=pe("`maxCost`",e.maxCost);r!==void 0&&(n.cost=Ir(n.cost,r,"maxCost"));return}case"budget":{let r=Pe("bud\
get",e.budget);r.tokens!==void 0&&(n.tokens=r.tokens),r.costUsd!==void 0&&(n.cost=Ir(n.cost,r.costUsd,"budget.costUsd")),
r.turns!==void 0&&(n.turns=r.turns);return}case"schema":{n.schema=Or(e.schema);return}case"signal":{n.signal=qe("`signal\
`",e.signal);return}default:{let r=_r(e,t,n.text);n.renamed||=r!==n.text,n.text=r}}}a(Cs,"readOther");function Ir(n,e,t){
if(!Number.isNaN(n))throw z("`maxCost` and `budget.costUsd`",t);return e}a(Ir,"only");function $r(n){let e=Object.create(
null);for(let{name:t,alias:r,staged:o,kind:s}of se){let i=Cr(s,t,n[t]),u=r===void 0?void 0:Cr(s,r,n[r]);if(i!==void 0&&u!==
void 0)throw z(`\`${t}\` and \`${r}\``,r);i??=u,i!==void 0&&(e[o]=i)}return n.idempotencyKey!==void 0&&(e.idempotencyKey=
ze("`idempotencyKey`",n.idempotencyKey)),n.origin!==void 0&&Object.assign(e,_s(n.origin)),$s(n.format)==="json"&&(e.json=
!0),e}a($r,"readStaged");function Cr(n,e,t){if(t===void 0)return;let r=`\`${e}\``;switch(n){case"text":return J(r,t);case"\
label":return J(r,t)?.trim()===""?void 0:t;case"name":return ze(r,t);case"reference":return t===null?void 0:ze(r,t);case"\
texts":return X(r,t);case"count":return $(r,t);case"dollars":return pe(r,t);case"duration":return Xe(r,t);case"integer":
return Zn(r,t);case"onParentEnd":if(!tn.includes(t))throw b(r,`one of ${tn.join(", ")}`,t);return t;case"retry":return ut(
e,t);case"metadata":return yr(e,t);default:return n}}a(Cr,"readPassed");function _s(n){let e=v("`origin`",n,"an object w\
ith channel and chatId"),{channel:t,chatId:r,...o}=e;if(G("origin",o,["channel","chatId"]),t!==void 0&&(typeof t!="strin\
g"||t===""||t.includes(":")))throw b("`origin.channel`","a text without a colon",t);if(r!==void 0&&(typeof r!="string"||
r===""))throw b("`origin.chatId`","a text",r);return{originChannel:J("`origin.channel`",t),originChatId:J("`origin.chatI\
d`",r)}}a(_s,"originOf");function $s(n){if(n===void 0||n==="text"||n==="json")return n;throw b("`format`","'text' or 'js\
on'",n)}a($s,"formatOf");var Nr={description:!0,prompt:!0,model:!0,disallowedTools:!0},ye=class{static{a(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[t,r]of Object.entries(v("`agents`",e,"an object of definitions")))this.#e.set(t,R(`\`agents.${t}\``,
()=>Ns(t,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:t}])=>`- ${e}\
: ${t}`).join(`
`)}checkProfiles(e){for(let{staged:t}of this.#e.values())t.profile!==void 0&&e.check(t.profile)}fill(e,t,r){let{sourceAgentId:o}=t;
if(o===void 0)return;let s=this.#e.get(o);if(s===void 0){let{names:d}=this,c=d.length===0?"none is defined":`there are ${d.
join(", ")}`;throw new g("unknown_agent",`there is no agent called ${w(o)}; ${c}`,{agent:o,known:d})}let{request:i,staged:u}=s;
Number.isNaN(e.tokens)&&(e.tokens=i.tokens),Number.isNaN(e.cost)&&(e.cost=i.cost),Number.isNaN(e.turns)&&(e.turns=i.turns),
r||(e.background=i.background),e.schema??=i.schema;for(let d of Object.keys(u))t[d]===void 0&&(t[d]=u[d])}};function Ns(n,e){
if(n==="")throw new g("invalid_argument","the name of an agent must not be empty");me("the name of an agent",n);let t=v(
`\`agents.${n}\``,e),{description:r,prompt:o,model:s,disallowedTools:i}=t;if(typeof r!="string"||r.trim()==="")throw b(`\
\`agents.${n}.description\``,"a text",r);let u=Object.entries(t).filter(([f])=>!Object.hasOwn(Nr,f)),d=u.find(([f])=>!Mr.
has(f))?.[0];if(d!==void 0)throw ve(`an agent has no \`${d}\`: \`agents.${n}\``,d,[...Mr,...Object.keys(Nr)],{argument:`\
agents.${n}.${d}`});let c=Object.fromEntries(u);o!==void 0&&(c.systemPrompt=o),s!==void 0&&s!=="inherit"&&(c.modelId=s),
c.agent=n;try{let f=Ce(c),l=f.staged;return i!==void 0&&(l.disallowedTools=X("`disallowedTools`",i)),{description:r.trim(),
request:f,staged:l}}catch(f){let{code:l,message:m,details:p}=f;throw new g(l,`agents.${n}: ${m}`,{...p})}}a(Ns,"read");var Mr=(()=>{
let n=se.filter(({isDefined:e})=>e).map(({name:e})=>e);return new Set([...n,"background","budget","maxCost","schema"])})();var _e={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxLost:5,maxTurns:20,turnEstimate:2e3,turnEstimateUsd:.25,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,
abandonMs:6e4,askTimeoutMs:6e5,maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,
ageingMs:1e4,idempotencyTtlMs:864e5,maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,leaseMs:6e4,maxDeliveries:5,
maxNotices:1e5,maxInjected:32};var Dr;function M(n,e){Dr??=new Map(Object.keys(_e).map((r,o)=>[r,o]));let t=Dr.get(e);return n.call(r=>r.limit(t))}a(M,
"limitOf");var ft={maxSubAgentSteps:"maxTurns"},Fr=[...Object.keys(_e),...Object.keys(ft),"budget","totalTokenBudget","taskBudget",
"onLimit"];function Ms(n){let e=Object.keys(ft).filter(t=>ft[t]===n);return[n,...e].map(t=>`\`${t}\``).join(", ")}a(Ms,"\
namesOf");var lt=class{static{a(this,"Bounds")}#e=!1;#t=new Map;#n={};#r;#o;#s;take(e,t){let r=ft[e]??e;if(e==="budget")
this.#n=Pe(e,t);else if(e==="totalTokenBudget")this.#r=$("`totalTokenBudget`",t);else if(e==="taskBudget")this.#o=Pe(e,t);else if(e===
"onLimit"){if(t!=="queue"&&t!=="reject")throw b("`onLimit`","'queue' or 'reject'",t);this.#s=t}else if(Object.hasOwn(_e,
r))this.#i(e,r,t);else return!1;return this.#e=!0,!0}#i(e,t,r){if(typeof r!="number")throw b(`\`${e}\``,"a number",r);if(e!==
t&&$(`\`${e}\``,r),this.#t.has(t))throw new g("invalid_argument",`\`${t}\` and its alias say the same: give one of ${Ms(
t)}`,{argument:e});this.#t.set(t,r)}apply(e,t={}){if(!this.#e&&Object.keys(t).length===0)return;let r=this.#n;if(this.#r!==
void 0){if(r.tokens!==void 0)throw z("`totalTokenBudget` and `budget.tokens`","totalTokenBudget");r={...r,tokens:this.#r}}
let o={budget:r,taskBudget:this.#o,onLimit:this.#s},s={...t,limits:[...this.#t],...o};if(!e.call(i=>i.configure(h(),s)))
throw this.#a(e.refusal());e.carryOut(),e.expectSound()}#a(e){let{code:t,message:r,details:o}=e,s=[...this.#t].find(([i])=>r.
startsWith(`\`${i}\``));return s===void 0?e:new g(t,`${r}, got ${w(s[1])}`,{...o})}};var dn="minimal";function Ds(n){return["You are a sub-agent: another agent gave you one task, and you see nothing else o\
f its work.","- Work on this task and on nothing else.","- You can not send messages to the user or ask them anything.",
...n?[]:["- You can not start sub-agents."],"- End with a clear and concise summary of what you did and what you found. \
It is all that the other agent gets."].join(`
`)}a(Ds,"minimal");var we=class{static{a(this,"Profiles")}#e=new Map([[dn,(e,t)=>Ds(t)]]);constructor(e){if(e!==void 0)for(let[
t,r]of Object.entries(v("`profiles`",e,"an object of functions"))){if(me("the name of a profile",t),typeof r!="function")
throw b(`\`profiles.${t}\``,"a function that makes a system prompt",r);this.#e.set(t,o=>r(o()))}}get names(){return[...this.#e.
keys()]}check(e){if(this.#e.has(e))return;let t=[...this.#e.keys()];throw new g("unknown_profile",`there is no profile c\
alled ${w(e)}; there are ${t.join(", ")}`,{profile:e,known:t})}prompt(e,t,r){this.check(e);let o;try{o=this.#e.get(e)?.(
t,r)}catch(s){throw new g("invalid_argument",`the profile ${w(e)} failed: ${x(s)}`,{},{cause:s})}if(typeof o!="string")throw b(
`what the profile ${w(e)} returns`,"a string",o);return o}};var Lr=512,Ur=1024;function mt(n){let e=n%Lr;return{turn:Math.floor(n/Ur),injects:n%Ur>=Lr,wrapUp:e===0?void 0:T[e-1]}}a(
mt,"turnOf");function pt(n,e,t){let r=a(o=>!e||n.unknown.includes(o)||n.invalid.includes(o)?null:n[o],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?t:null}}a(pt,"figuresOf");function Kr(n,e,t){let{actor:r,runtime:o}=n,s=n.policing(),i=n.isMain?void 0:o.lookup.snapshot(r.slot,r.generation),u=i===
void 0?Wr:pt(i.usage,i.startedAt!==null,i.durationMs);return{taskId:i?.taskId??null,status:e,reason:t,partial:!0,output:Gr(
o,i?.output??""),error:null,stats:cn(s,{...u,turns:s?.turns??null}),todos:je(s?.todos??""),recentMessages:[...n.messages]}}
a(Kr,"reportOf");function Br(n,e,t,r){let o=t.call(s=>s.policing(r.slot,r.generation));return{taskId:n.taskId,status:n.status,
reason:n.stopReason,partial:n.partial,output:Gr(t,Fs(n,e,t,r)),error:n.error??null,stats:cn(o,n.figures),todos:je(o?.todos??
""),recentMessages:[...e?.messages??[]]}}a(Br,"reportOfResult");function ke(n){return We(n)}a(ke,"reportText");function ht(n,e,t){
return{taskId:n,status:e,reason:null,partial:!1,output:"",error:t,stats:cn(void 0,Wr),todos:[],recentMessages:[]}}a(ht,"\
reportOfNone");var Wr={tokens:null,costUsd:null,turns:null,durationMs:null};function cn(n,{tokens:e,costUsd:t,turns:r,durationMs:o}){
let{contextTokens:s=null,openTodos:i=0,counts:u=[]}=n??{};return{turns:r,tokens:e,costUsd:t,durationMs:o===null?null:Math.
round(o),contextTokens:s,openTodos:i,counts:Object.fromEntries(u)}}a(cn,"stats");function Fs(n,e,t,{slot:r,generation:o}){
let{output:s}=n,i=s===""?null:Ls(n,e,t,r,o);if(i===null||i!==s)return s;let u=fn(i);return u===void 0?s:u.output||(u.recentMessages.
at(-1)??"")}a(Fs,"outputOf");function Ls(n,e,t,r,o){if(e?.report!==void 0)return e.report;if(t.isClosed||t.call(u=>u.status(
r,o))<0)return null;let{run:s,report:i}=t.lookup.snapshot(r,o);return s===n.run?i:null}a(Ls,"madeByPolicy");function fn(n){
if(n.startsWith('{"taskId":'))try{let{output:e,recentMessages:t,stats:r,status:o}=JSON.parse(n);return typeof o=="string"&&
typeof e=="string"&&typeof r=="object"&&Array.isArray(t)?JSON.parse(n):void 0}catch{return}}a(fn,"readReport");function Gr(n,e){
if(e==="")return"";let t=n.write(e);return n.call(r=>r.inline(t))}a(Gr,"inlined");var Us=10,Ks=500,$e=class{static{a(this,"Agent")}runtime;actor;messages=[];blockedBecause=void 0;report=void 0;asksForTurn=!1;readPrompt;injected=[];waiting=0;pending=void 0;stopped=!1;constructor(e,t,r){
this.runtime=e,this.actor=t,this.readPrompt=r}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(Ye(e,Ks)),this.messages.length>Us&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,t){return Object.assign(
new ln(this,e),t)}policing(){let{slot:e,generation:t}=this.actor;return this.runtime.call(r=>r.policing(e,t))}count(e,t,r){
let{slot:o,generation:s,run:i}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(h(),o,s,i,u,t,r))}rule(e,{
answer:t,policy:r,text:o,reason:s}){if(this.runtime.isClosed)return!1;let{slot:i,generation:u,run:d}=this.actor;t==="blo\
ck"&&!e.endsWith("_tool")&&(this.blockedBecause??=o),t==="finish"&&(this.report=o);let c=this.runtime.write(r),f=this.runtime.
write(r+o)-c,[l,m,p]=[kr.indexOf(e),Sr.indexOf(t),T.indexOf(s)];return this.runtime.act(k=>k.rule(h(),i,u,d,l,m,p,c,f))}wait(e){
if(e==="on_timeout")return()=>{};let{slot:t,generation:r,run:o}=this.actor,s=this.isMain?new ce(()=>this.end("overdue")):
void 0;if(this.waiting+=1,s!==void 0){let i=this.runtime.isClosed?0:M(this.runtime,"approvalTimeoutMs");s.hold(!0),i!==Number.
POSITIVE_INFINITY&&s.set(h()+i)}else this.waiting===1&&!this.runtime.isClosed&&this.runtime.act(i=>i.awaitApproval(h(),t,
r,o));return()=>{this.waiting-=1,s?.stop(),!(this.waiting>0||this.isMain||this.runtime.isClosed||e==="before_start")&&this.
runtime.act(i=>i.approved(h(),t,r,o,!1))}}until(e){if(this.stopped)return Promise.resolve("stopped");this.pending??=new Set;
let{pending:t}=this;return new Promise(r=>{let o=a(s=>{t.delete(o),r(s)},"end");t.add(o),e.then(s=>o({value:s}),s=>o({error:s}))})}stop(){
this.stopped=!0,this.end("stopped")}overdue(){this.end("overdue")}end(e){if(this.pending!==void 0)for(let t of[...this.pending])
t(e)}},ln=class{static{a(this,"Context")}#e;#t;#n;constructor(e,t){this.#e=e,this.#t=t}get#r(){return this.#n??=this.#e.
policing(),this.#n}get agent(){return this.#e.isMain?"main":"sub"}get taskId(){let{slot:e,generation:t}=this.#e.actor;return this.#e.
isMain?null:this.#e.runtime.lookup.taskId(e,t)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){
return this.#r?.turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return je(this.#r?.todos??
"")}get openTodos(){return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,t={}){let r=this.#e.
count(this.#t,e,t.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,t){return Kr(this.#e,
e,t)}};var qr={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},mn=["blockedTools",...Object.values(qr)],Yr=["name",...mn],Jr={
before_spawn:["inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],
before_tool:["inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block",
"finish"],on_timeout:["inject","finish"]},Se=class{static{a(this,"PolicyList")}blockedTools;#e=new Map;constructor(e,t){
let r=new Map,o=new Set;for(let{policy:s,place:i}of Bs(e,t)){let u=Ws(s,i),d=(r.get(u)??0)+1;r.set(u,d),this.#t(s,i,d===
1?u:`${u}#${d}`);let c=X(gt(i,"blockedTools"),pn(s,i,"blockedTools"));for(let f of c??[])o.add(f)}this.blockedTools=[...o]}#t(e,t,r){
let o=R(t,()=>Gs(e));if(o!==void 0)throw Ve("a policy",o,Yr);if(!R(t,()=>mn.some(s=>s in e)))throw b(t,`a policy with at\
 least one of ${mn.join(", ")}`,e);for(let[s,i]of Object.entries(qr)){let u=pn(e,t,i);if(u===void 0)continue;if(typeof u!=
"function")throw b(gt(t,i),"a function",u);let d=this.#e.get(s)??[];d.push({name:r,ask:a(c=>Reflect.apply(u,e,[c]),"ask")}),
this.#e.set(s,d)}}has(e){return this.#e.has(e)}ask(e,t,r){let o=this.#e.get(e)??[];for(let[s,i]of o.entries()){let u=Hr(
i,t,r);if("later"in u)return e!=="before_spawn"?this.#n(e,t,r,s,u.later):(u.later.then(void 0,()=>{}),hn(e,t,i.name,new Error(
"it has to answer at once here, it returned a promise")));let d=Vr(e,t,i.name,u);if(d!==void 0)return d}}async#n(e,t,r,o,s){
let i=this.#e.get(e)??[],u=t.wait(e);try{let d=s;for(let c=o;c<i.length;c+=1){let f=i[c],l;if(d===void 0){let p=Hr(f,t,r);
l="later"in p?await t.until(p.later):p}else l=await t.until(d),d=void 0;if(l==="stopped")return;let m=Vr(e,t,f.name,l===
"overdue"?{error:new Error("it took too long to answer")}:l);if(m!==void 0)return m}return}finally{u()}}};function Bs(n,e){
return e===void 0?[]:F(n,"a list of policies",e,(t,r)=>({policy:le(r,t,"a policy"),place:r}))}a(Bs,"policiesOf");function gt(n,e){
return n.endsWith("`")?`${n.slice(0,-1)}.${e}\``:`\`${e}\` of ${n}`}a(gt,"within");function pn(n,e,t){return R(gt(e,t),()=>re(
n,t))}a(pn,"partOf");function Ws(n,e){let t=pn(n,e,"name")??"policy";return Q(E(gt(e,"name"),t))}a(Ws,"nameIn");function Gs(n){
let e=Object.getPrototypeOf(n),t=e===null||Object.getPrototypeOf(e)===null;return Object.keys(n).find(r=>!Yr.includes(r)&&
(t||/^(before|after|on)[A-Z]/.test(r)))}a(Gs,"strangerIn");function Hr(n,e,t){try{let r=n.ask(e.context(n.name,t));return typeof r==
"object"&&r!==null&&typeof r.then=="function"?{later:new Promise(s=>s(r))}:{value:r}}catch(r){return{error:r}}}a(Hr,"ans\
werOf");function Vr(n,e,t,r){if("error"in r)return hn(n,e,t,r.error);try{return Js(n,t,r.value)}catch(o){return hn(n,e,t,
o)}}a(Vr,"judge");function hn(n,e,t,r){let o=`the policy ${t} failed: ${x(r)}`;if(n!=="after_tool"&&n!=="on_timeout")return{
answer:"block",policy:t,text:o,reason:"policy"};e.runtime.report(r)}a(hn,"failed");function Js(n,e,t){if(t==null)return;
if(typeof t!="object")throw new Error(`it answered ${w(t)}`);let r=a(l=>re(t,l),"part"),[o,s,i,u,d="policy"]=["action","\
text","reason","report","stopReason"].map(r);if(o==="continue")return;let c=o;if(!Jr[n].includes(c))throw new Error(`it \
answered ${w(o)}, here it may answer ${["continue",...Jr[n]].join(", ")}`);let f={inject:s,force_turn:s??"Take another t\
urn before you end.",block:i,finish:u}[c];if(typeof f!="string")throw new Error(`it answered ${c} with ${w(f)} where a t\
ext belongs`);if(!T.includes(d))throw new Error(`it answered with the stop reason ${w(d)}`);return{answer:c,policy:e,text:Q(
E("what it says",f)),reason:d}}a(Js,"read");var Ae=class{static{a(this,"Gates")}sub;runtime;policies;limits;mains=new Map;constructor(e,t,r){this.runtime=e,this.sub=
new Se("`policies.subAgents`",t.subAgents),this.policies=new Se("`policies.main`",t.main),this.limits=r}sessionPolicies(e){
return e===void 0?this.policies:new Se("`policies`",e)}openSession(e,t,r){this.mains.set(e.slot,this.newMain(e,t,{...this.
limits,...r}))}main(e){let t=this.mains.get(e.slot);if(t?.agent.actor.generation===e.generation)return t;let r=this.newMain(
e,this.policies,this.limits);return t===void 0&&this.mains.set(e.slot,r),r}newMain(e,t,r){let s={agent:new $e(this.runtime,
e,()=>s.prompt),policies:t,limits:r,prompt:""};return s}agentOf(e){return e.agent??=new $e(this.runtime,e,()=>e.prompt()),
e.agent}listFor(e){return e.isMain?this.main(e.actor).policies:this.sub}close(){for(let{agent:e}of this.mains.values())e.
stop()}beforeSpawn(e,t,r){let o=e.run===0,s=o?this.main(e).policies:this.sub;if(!s.has("before_spawn"))return;let i=o?this.
main(e).agent:this.agentOf(e),u=s.ask("before_spawn",i,{task:t.text,params:r});if(u===void 0)return;i.rule("before_spawn",
u);let{answer:d,policy:c,text:f}=u;if(d==="inject"){let l=ct(t);l.contextHint=l.contextHint===void 0||l.contextHint===""?
f:`${l.contextHint}

${f}`;return}throw new g("policy_blocked",f,{policy:c,...d==="finish"&&{report:f}})}start(e,t){let r=this.agentOf(e),o=this.
sub.ask("before_start",r,{});if(o instanceof Promise){this.runtime.alone(o.then(s=>this.started(e,s,t)));return}this.decideStart(
e,o,t)}started(e,t,r){let{runtime:o}=this;if(o.isClosed||e.settled)return;let{slot:s,generation:i,run:u}=e,d=(t===void 0||
t.answer==="inject")&&!this.isStopping(e);e.starting=()=>this.decideStart(e,t,r),!(o.act(c=>c.approved(h(),s,i,u,d))===0&&
d)&&e.takeStart()?.()}decideStart(e,t,r){let o=this.agentOf(e);t!==void 0&&o.rule("before_start",t),t?.answer==="inject"&&
o.inject(t.text),this.runtime.onceKept(()=>{this.runtime.isClosed||e.settled||((t===void 0||t.answer==="inject")&&!this.
isStopping(e)?r():this.runtime.hosts.settle(e,be()))})}isStopping(e){let{slot:t,generation:r,run:o}=e;return!this.runtime.
call(s=>s.isOpen(t,r,o))||this.runtime.lookup.snapshot(t,r).cancelRequested}async beforeTurn(e,t){e.asksForTurn=!0;try{let r=await this.
listFor(e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let i=e.rule("before_turn",r);if(r.answer==="inje\
ct")e.inject(r.text);else if(i)return zr(r)}let o=await t();if(!o.go)return o;let s=e.takeInjected();return s.length===0?
o:{...o,inject:[...o.inject??[],...s]}}finally{e.asksForTurn=!1}}async mainTurn(e,t){let{runtime:r}=this;r.check();let o=this.
main(e),{agent:s,policies:i}=o,{slot:u,generation:d}=e;if(s.asksForTurn)throw new g("invalid_argument","the last beforeT\
urn has not answered yet");if(t!==void 0&&(r.act(c=>c.endMain(h(),u,d)),o.prompt=t),(s.policing()?.turns??0)===0&&i.has(
"before_start")){s.asksForTurn=!0;let c=await i.ask("before_start",s,{});if(s.asksForTurn=!1,r.check(),c!==void 0){if(s.
rule("before_start",c),c.answer!=="inject")return zr(c);s.inject(c.text)}}return this.beforeTurn(s,()=>this.takeMainTurn(
o))}async takeMainTurn(e){let{agent:t,policies:r,limits:o}=e,{slot:s,generation:i}=t.actor,{maxTurns:u=gn,maxContextTokens:d=gn,
timeoutMs:c=gn}=o,f=this.runtime.call(O=>O.beginMainTurn(h(),s,i,u,d,c));if(f===-1)throw this.runtime.refusal();if(f<0){
this.runtime.carryOut();let O=T[-2-f]??"policy";return O!=="policy"?{go:!1,reason:O}:{go:!1,reason:O,message:`the contex\
t has ${t.policing()?.contextTokens} tokens, the limit is ${d}`}}let{turn:l,injects:m,wrapUp:p}=mt(f),k=m?{inject:this.runtime.
call(O=>O.takeInject())}:void 0;if(this.runtime.carryOut(),p===void 0)return{go:!0,turn:l,...k};let y=await r.ask("on_ti\
meout",t,{reason:"timeout"}),S=y===void 0?void 0:this.timeoutAnswered(t,y);return{go:!0,turn:l,wrapUp:!0,reason:"timeout",
...k,...S!==void 0&&{report:S}}}async beforeTool(e,t,r){let{runtime:o}=this,{slot:s,generation:i,run:u}=e.actor;if(o.check(),
E("a tool's name",t)==="")throw b("a tool's name","a text that is not empty",t);if(!e.isMain){let l=o.write(t);if(!o.call(
m=>m.mayUse(s,i,u,l)))return this.toolRefused(e)}let d=this.listFor(e),c=d.has("before_tool")?await d.ask("before_tool",
e,{tool:t,args:r}):void 0;if(o.check(),c!==void 0){if(e.rule("before_tool",c),c.answer==="block")return{allowed:!1,reason:c.
text};if(c.answer==="finish")return{allowed:!1,reason:c.text,finished:!0}}let f=o.write(t);return o.call(l=>l.beginTool(
h(),s,i,u,f))?(o.carryOut(),c===void 0?{allowed:!0}:{allowed:!0,inject:[c.text]}):this.toolRefused(e)}toolRefused(e){let{
code:t,message:r}=this.runtime.refusal();return t==="tool_blocked"&&e.rule("before_tool",{answer:"block",policy:"tools",
text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,t,r){let{runtime:o}=this,{slot:s,generation:i,run:u}=e.
actor;if(o.check(),E("a tool's name",t)==="")throw b("a tool's name","a text that is not empty",t);let c=!e.isMain&&o.call(
p=>p.endTool(h(),s,i,u))?o.call(p=>p.takeInject()):[];o.carryOut();let f=this.listFor(e),l=f.has("after_tool")?await f.ask(
"after_tool",e,{tool:t,result:r}):void 0;l!==void 0&&(o.check(),e.rule("after_tool",l),l.answer==="inject"&&c.push(l.text));
let m=c.length===0?{}:{inject:c};return l?.answer==="block"?{withheld:!0,reason:l.text,...m}:l?.answer==="finish"?{withheld:!1,
finished:!0,...m}:{withheld:!1,...m}}async beforeEnd(e,t){let{runtime:r}=this;r.check(),E("`output`",t);let o=this.listFor(
e),s=o.has("before_end")?await o.ask("before_end",e,{output:t}):void 0;if(r.check(),s!==void 0&&(e.rule("before_end",s),
s.answer==="inject"||s.answer==="force_turn"))return{end:!1,inject:[s.text]};let{slot:i,generation:u}=e.actor;return e.isMain&&
r.act(d=>d.endMain(h(),i,u)),s===void 0?{end:!0,output:t}:s.answer==="finish"?{end:!0,output:s.text}:{end:!0,output:"",reason:s.
text}}timedOut(e,t){if(!this.sub.has("on_timeout"))return;let r=this.agentOf(e),o=this.sub.ask("on_timeout",r,{reason:t}),
s=a(i=>{i!==void 0&&this.timeoutAnswered(r,{...i,reason:t})},"answered");o instanceof Promise?this.runtime.alone(o.then(
s)):s(o)}timeoutAnswered(e,t){if(e.rule("on_timeout",t),t.answer==="finish")return t.text;e.inject(t.text)}},gn=Number.POSITIVE_INFINITY;
function zr({answer:n,text:e,reason:t}){return n==="finish"?{go:!1,reason:t,report:e}:{go:!1,reason:t,message:e}}a(zr,"r\
efusedTurn");function Hs(n){return R("a notice",()=>{let{origin:e,text:t,deliveryId:r}=le("a notice",n);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:t,deliveryId:r}})}a(Hs,"toBusMessage");function Xr(n,e,t){return({inbox:r})=>{
let o=r.lease();o.length!==0&&t(()=>{for(let s of o)a(async()=>{await n.publish(Hs(s)),r.ack(s.deliveryId)},"taken")().catch(
e)})}}a(Xr,"publisher");function Qr(n){let e=typeof n=="object"&&n!==null?n.publish:void 0;if(typeof e!="function")throw b(
"`bus`","an object with a function `publish`",n);return{publish:a(t=>e.call(n,t),"publish")}}a(Qr,"busOf");function bt(n){return R("a task",()=>{let{label:e,taskId:t}=le("a task",n);return`Subagent [${P(e,ne)}] started (id: ${P(
t)}). I'll notify you when it completes.`})}a(bt,"startedText");function bn(n){let{process:e,Deno:t,reportError:r,console:o}=globalThis;try{e===void 0&&t===void 0&&typeof r=="function"?
r(n):o?.error(n)}catch{}}a(bn,"logError");function yn(n,e){try{let t=n();Vs(t)&&new Promise(r=>r(t)).catch(e)}catch(t){e(
t)}}a(yn,"notify");function Vs(n){return typeof n=="object"&&n!==null&&typeof n.then=="function"}a(Vs,"isThenable");function Oe(n){return typeof WeakRef>"u"?{deref:a(()=>n,"deref")}:new WeakRef(n)}a(Oe,"weakly");var xe=class{static{a(this,
"Collected")}registry;constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,t){
this.registry?.register(e,t,e)}unwatch(e){this.registry?.unregister(e)}};var yt=class{static{a(this,"Door")}manager;constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=
void 0}},Ne=[],Zr=[],wn,ie;function eo(n,e,t){let r=Zr.pop()??Ne.length;return Ne[r]=Oe(e),wn??=new xe(({host:o,alarm:s})=>{
s.stop(),to(o)}),wn.watch(n,{host:r,alarm:t}),r}a(eo,"attach");function kn(n){wn?.unwatch(n),n.door.shut(),to(n.host)}a(
kn,"release");function to(n){Ne[n]!==void 0&&(Ne[n]=void 0,Zr.push(n))}a(to,"detach");function K(n){let e=ie;return ie=n,
Bt(!0),e}a(K,"enter");function B(n){ie=n,n===void 0&&Bt(!1)}a(B,"leave");function no(){return ie!==void 0}a(no,"isInside");
function j(n){return ie!==void 0&&ie.host===n?ie:Ne[n]?.deref()?.runtime}a(j,"find");function Qd(n,e,t,r,o){j(n)?.runs.startRun(
e,t,r,o)}a(Qd,"startRun");function Zd(n,e,t,r,o){j(n)?.runs.runRetried(e,t,r,o)}a(Zd,"runRetried");function ec(n,e,t,r,o){
j(n)?.runs.abortRun(e,t,r,o)}a(ec,"abortRun");function tc(n,e,t,r){j(n)?.runs.turnReady(e,t,r)}a(tc,"turnReady");function nc(n,e,t){
let r=j(n);r?.sessionData.taskForgotten(e,t),r?.contexts.taskForgotten(e,t),r?.signals.taskGone(e,t)}a(nc,"taskForgotten");
function rc(n,e,t){j(n)?.signals.taskGone(e,t)}a(rc,"taskClosed");function oc(n,e,t){j(n)?.wakes.mark(e)}a(oc,"wakeSessi\
on");function sc(n,e,t,r,o){j(n)?.runs.policiesDue(e,t,r,o)}a(sc,"policiesDue");function ic(n,e){j(n)?.startsStopped(e)}
a(ic,"startsStopped");function ac(n,e){j(n)?.wakeAt(e)}a(ac,"wakeAt");function uc(n,e,t,r,o,s,i){j(n)?.runs.askDone(e,t,
r,o,s,i)}a(uc,"askDone");function dc(n,e,t,r){j(n)?.waits.done(e,t,r)}a(dc,"waitDone");function cc(n,e,t,r,o,s,i,u,d,c,f,l,m,p,k){
let{runs:y}=j(n)??{};y?.runEnded(e,t,r,o,s,i,u,d,c,f,l,m,p,k)}a(cc,"runEnded");function fc(n,e,t){j(n)?.listeners.facts(
e,t)}a(fc,"facts");function lc(n,e){let t=j(n);return t===void 0||t.consumerGate(e)}a(lc,"consumerGate");function mc(n,e){
return j(n)?.makeTool(e)}a(mc,"makeTool");var pc=0,ro=1,hc=2;var wt=class{static{a(this,"Listeners")}listeners=new Set;reader=void 0;runtime;scratch;constructor(e,t){this.runtime=e,
this.scratch=t}get listening(){return this.reader!==void 0}subscribe(e,t){this.runtime.check();let r=this.runtime.call(s=>s.
factCount());this.listeners.size===0&&(this.runtime.journal?.gather(!1),this.reader=t(this.runtime,this.scratch,r),this.
runtime.call(s=>s.listen(!0)));let o={listener:Z(e),since:r};return this.listeners.add(o),()=>{this.listeners.delete(o),
this.listeners.size===0&&!this.runtime.isClosed&&(this.reader=void 0,this.runtime.journal===void 0?this.runtime.call(s=>s.
listen(!1)):this.runtime.journal.gather(!0))}}facts(e,t){let{journal:r}=this.runtime;if(r===void 0)this.hand(this.reader?.
read(e,t));else if(t===0)r.expect();else{let o=r.take(this.scratch.copy(e,t));r.isSync||this.tell(o)}}tell(e){this.hand(
this.reader?.readKept(e))}hand(e=[]){for(let t of e)for(let{listener:r,since:o}of this.listeners)t.seq>o&&this.runtime.tell(
()=>r(t))}clear(){this.listeners.clear(),this.reader=void 0}};var qs=200,Ys=["disposed","internal","store_failed"],kt=class{static{a(this,"Refusals")}listeners=new Set;runtime;constructor(e){
this.runtime=e}listen(e){let t={listener:Z(e)};return this.listeners.add(t),()=>{this.listeners.delete(t)}}tell(e,t,r,o){
let{runtime:s}=this;if(this.listeners.size===0||s.isClosed||!(o instanceof g)||Ys.includes(o.code))return;let{slot:i,generation:u,
run:d}=t,c={seq:s.call(f=>f.factCount()),at:h(),operation:e,code:o.code,message:o.message,by:d===0?null:s.lookup.taskId(
i,u),sessionKey:s.lookup.sessionKey(i,u),label:r===null?null:Qe(r,qs)};for(let{listener:f}of this.listeners)s.tell(()=>f(
c))}clear(){this.listeners.clear()}};var Me={slot:0,generation:0,run:0},oo=4294967296;function ae(n){return n>>>0}a(ae,"slotOf");function Sn(n){return Math.floor(
n/oo)}a(Sn,"generationOf");function W(n){return{slot:ae(n),generation:Sn(n)}}a(W,"keyOf");function De({slot:n,generation:e}){
return e*oo+n}a(De,"packed");var xn=class{static{a(this,"Followed")}#e;#t=new Set;constructor(e){this.#e=e}#n=a(()=>{let e=[...this.#t];for(let t of e)
this.leave(t);for(let t of e)t.deref()?.fire()},"#fire");join(e){this.#t.add(e),this.#t.size===1&&this.#e.addEventListener(
"abort",this.#n,{once:!0})}leave(e){!this.#t.delete(e)||this.#t.size>0||(St.get(this.#e)===this&&St.delete(this.#e),this.#e.
removeEventListener("abort",this.#n))}},St=new WeakMap,An;function zs(n){n()}a(zs,"call");function so(n,e){let t=St.get(
n);t===void 0&&(t=new xn(n),St.set(n,t));let r=t;return r.join(e),()=>r.leave(e)}a(so,"join");function On(n,e){let t={fire:e};
return so(n,{deref:a(()=>t,"deref")})}a(On,"follow");var At=class{static{a(this,"Signals")}#e=new Map;#t=new Map;follow(e,t){
let r={fire:t},o=so(e,Oe(r)),s=a(()=>{this.#e.delete(s),An?.unwatch(r),o()},"end");return this.#e.set(s,r),An??=new xe(zs),
An.watch(r,o),s}keepIdle(e,t){let{runtime:r,slot:o,generation:s}=e,i=this.follow(t,()=>ao(e));e.unfollow?.(),e.unfollow=
i,r.call(d=>d.tellForgotten()),this.#t.set(o,e);let u=r.call(d=>d.status(o,s));(u<0||ee[u]==="closed")&&this.taskGone(o,
s)}taskGone(e,t){if(this.#t.size===0)return;let r=this.#t.get(e);r?.generation===t&&(this.#t.delete(e),r.unfollow?.())}clear(){
for(let e of[...this.#e.keys()])e();for(let e of this.#t.values())e.unfollow?.();this.#t.clear()}};function io(n,e){let t=On(
e,()=>{n.slot===0?n.abortedEarly=!0:ao(n)});n.unfollow=()=>{n.unfollow=void 0,t()}}a(io,"followSignal");function ao(n){let{
runtime:e}=n;if(!e.isClosed)try{e.waits.cancel(Me,n.slot,n.generation,"signal_aborted").catch(()=>{})}catch{}}a(ao,"canc\
elLive");function co(n,e,t,r){try{return Xs(n,e,t,r)}catch(o){throw n.refusals.tell("spawn",e,t.staged?.label??t.text??null,o),o}}
a(co,"spawn");function Xs(n,e,t,r){n.check(),uo(n,e,t);let o=ei(t,r);if(n.seeded||ri(n),n.functions.checkConsumerSpawn!==
void 0){let y=Rn(n,o);if(y!==!0)throw new g("spawn_denied",y||"the host refused this spawn",{reason:y||null});n.check()}
n.gates.beforeSpawn(e,t,o),n.check(),uo(n,e,t);let{staged:s,text:i}=t;i!==void 0&&!t.manual&&ti(n,t.background);let u=new V(
n,o,t.asked);if(u.background=t.background,u.text=i,u.format=s?.json===!0?"json":"text",u.check=t.schema,t.watch!==void 0&&
(u.watch=t.watch),t.signal!==void 0&&(io(u,t.signal),u.abortedEarly))throw fo(t.signal);if(s!==void 0&&!n.call(y=>y.stage(
s)))throw u.unfollow?.(),n.refusal();let d=i===void 0?0:n.write(i),c=s?.idempotencyKey===void 0?0:64,f=(t.background?1:0)|
(i===void 0?2:0)|(s===void 0?0:4)|(t.manual?8:0)|t.answers|c,l=K(n),m;try{m=n.core.begin(h(),e.slot,e.generation,e.run,f,
d,t.tokens,t.cost,t.turns)}catch(y){throw n.poison(y)}finally{B(l)}if(m===-1)throw u.unfollow?.(),n.refusal();let p=m<0?
Zs(n,u,t,W(-2-m)):Qs(n,u,t,m),k=n.contexts.enter(m<0?0:u.slot);return n.carryOut(),n.contexts.leave(k),n.expectSound(),n.
hosts.keepAwake(),p}a(Xs,"begin");function Qs(n,e,{text:t,manual:r,schema:o,signal:s},i){return e.slot=ae(i),e.generation=
Sn(i),o!==void 0&&n.sessionData.check(e.slot,e.generation,o),n.contexts.keep(e.slot,e.generation),t===void 0?s!==void 0&&
n.signals.keepIdle(e,s):r||(e.run=1,n.runs.keep(e)),e}a(Qs,"admitted");function Zs(n,e,t,r){return e.unfollow?.(),t.repeated=
!0,ni(n,r)}a(Zs,"repeated");function uo(n,{slot:e,generation:t,run:r},{signal:o,background:s}){if(o?.aborted===!0)throw fo(
o);r!==0&&n.ask(i=>i.mayStart(e,t,r,s))}a(uo,"expectNotStopped");function fo(n){return new g("aborted","the signal of th\
is spawn has fired already, so nothing was started",{},{cause:n.reason})}a(fo,"firedAlready");function ei({renamed:n,text:e},t){
return n?R("the options of spawn",()=>({...t,instructions:e})):t}a(ei,"paramsOf");function ti({functions:n},e){if(n.spawnSubAgent!==
void 0||e&&n.spawnBackgroundSubAgent!==void 0)return;let t="spawnSubAgent";throw new g("invalid_argument","the manager w\
as made without `spawnSubAgent`, so nothing can run a sub-agent",{argument:t})}a(ti,"checkHost");function ni(n,{slot:e,generation:t}){
let r=n.runs.liveOf(e,t);if(r!==void 0)return r;let o=new V(n,void 0);return o.slot=e,o.generation=t,o.run=n.call(s=>s.lastRun(
e,t)),o}a(ni,"lastRunOf");function Rn(n,e){let t=n.functions.checkConsumerSpawn;if(t===void 0)return!0;try{let r=t(e);if(typeof r!=
"object"||r===null)return`checkConsumerSpawn must return { allowed }, it returned ${w(r)}`;let{allowed:o,reason:s}=r,[i,
u]=[Y(r,"allowed",o),Y(r,"reason",s)];return i===!0?!0:i===!1?typeof u=="string"&&u!==""?u:!1:typeof r.then=="function"?
(r.then(void 0,()=>{}),"checkConsumerSpawn must answer at once, it returned a promise"):`checkConsumerSpawn must return \
{ allowed: boolean }, allowed is ${w(i)}`}catch(r){return`checkConsumerSpawn failed: ${x(r)}`}}a(Rn,"consumerGate");function ri(n){
n.order(e=>e.seed(h())),n.seeded=!0}a(ri,"seed");var oi=0x7375626167656e74n,si=32n,po=a(n=>BigInt.asUintN(64,n),"low64"),lo=a((n,e)=>po(n<<e|n>>64n-e),"rotated");function mo(n,e,t){
let r=po(lo(n,56n)+e)^t;return[r,lo(e,3n)^r]}a(mo,"mix");function ho([n=0n,e=0n],t,r){let[o,s]=[n,e],[i,u]=[oi,BigInt(r)<<
32n|BigInt(t)];for(let d=0n;d<si;d+=1n)[i,u]=mo(i,u,s),[o,s]=mo(o,s,d);return`sub_${[i,u].map(d=>d.toString(16).padStart(
16,"0")).join("")}`}a(ho,"taskIdOf");var xt=class{static{a(this,"Lookup")}sessions=new Map;runtime;constructor(e){this.runtime=e}resolve(e,t){if(this.runtime.
check(),typeof t!="string")throw b("a target","an id or a handle",t);let r=this.runtime.write(Gt(t)?t.slice(0,160):""),{
slot:o,generation:s,run:i}=e,u=this.runtime.call(d=>d.find(o,s,i,r));if(u<0){let d=this.runtime.refusal();if(d.code==="a\
mbiguous_nickname")throw d;let c=new g(d.code,`${d.message}: ${w(t)}`,{...d.details,taskId:t});throw Ge(c,`${Je(d)}: ${w(
t)}`)}return W(u)}nameOf(e,{nickname:t,taskId:r}){if(t===null)return r;let o=this.runtime.write(t),s=this.runtime.call(d=>d.
find(e.slot,e.generation,e.run,o));if(s<0)return r;let{slot:i,generation:u}=W(s);return this.taskId(i,u)===r?t:r}taskId(e,t){
let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(o=>o.taskId(e,t)):ho(r,e,t)}snapshot(e,t){let r=this.runtime.
call(o=>o.get(e,t,h()));if(r===void 0)throw this.runtime.refusal();return Ot(r)}about(e,t){let r=this.runtime.call(u=>u.
get(e,t,h()));if(r===void 0)return;let{label:o,parentId:s,metadata:i}=Ot({...r,artifacts:null,value:null});return{label:o,
parentId:s,metadata:i,sessionKey:this.sessionKey(e,t)}}label(e,t){return this.runtime.call(r=>r.label(e,t))??null}sessionKey(e,t){
return this.runtime.call(r=>r.sessionKey(e,t))??null}brief(e,t){let r=this.runtime.call(f=>f.brief(e,t));if(r===void 0)throw this.
runtime.refusal();let[o,s,i="",u,d=dn,c]=r;return{depth:o,label:s,contextHint:i,systemPrompt:u,profile:d,modelId:c}}openSession(e){
this.runtime.check();let t=this.runtime.write(e),r=this.runtime.journal?.goesOn===!0?this.runtime.call(i=>i.registerSession(
h(),t)):-1,o=r>=0?r:this.runtime.call(i=>i.openSession(h(),t));if(o<0)throw this.runtime.refusal();this.runtime.carryOut();
let s={...W(o),run:0};return this.sessions.set(s.slot,s.generation),s}eventId(e,t){return this.sessions.get(e)===t?null:
this.runtime.call(r=>r.eventId(e,t))??null}};function Ot(n){let{artifacts:e,value:t,metadata:r}=n;return{...n,artifacts:e===
null?[]:JSON.parse(e),value:t===null?null:JSON.parse(t),metadata:wr(r)}}a(Ot,"parseArtifacts");var go=64,Rt=class{static{a(this,"RemoteRuns")}lives=new Map;named=new Map;early=new Map;ended=new Map;sweepAt=go;runtime;constructor(e){
this.runtime=e}start(e,t){this.sweep(),this.list(e);let r;try{r=t(e.params(),e.handedRun())}catch(s){throw this.unlist(e),
s}let o=new Promise(s=>s(r));if(!this.isListed(e)){o.catch(()=>{});return}this.runtime.act(s=>s.startedElsewhere(h(),e.slot,
e.generation,e.run)),e.expectName(),this.runtime.alone(o.then(s=>this.started(e,s),s=>this.end(e,rt(x(s),s))))}started(e,t){
let r=ii(t);if(typeof r!="string"||r===""){this.end(e,nt(`spawnBackgroundSubAgent must resolve to { taskId }, it resolve\
d to ${w(t)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(r,(this.named.get(r)??new Set).add(e)),e.named?.
resolve(),this.runtime.isClosed)return;let o=this.runtime.write(r);this.runtime.act(i=>i.nameElsewhere(h(),e.slot,e.generation,
e.run,o));let s=this.early.get(r);this.early.delete(r),s!==void 0?this.end(e,ge(s)):this.refuseEarly()}refuseEarly(){if(this.
early.size===0||this.isUnnamed())return;let e=[...this.early.keys()];this.early.clear();for(let t of e)this.runtime.report(
this.unknown(t))}isUnnamed(){return[...this.lives.values()].some(({hostTaskId:e})=>e===void 0)}report(e,t){if(typeof e!=
"string"||e==="")throw b("the id","a task id or the host's own id",e);let r=this.livesOf(e);if(r.length>1)throw new g("i\
nvalid_argument",`several sub-agents go by the host id ${w(e)}: report by task id`,{id:e});let[o]=r;if(o!==void 0){this.
end(o,ge(t));return}let s=this.endedBy(e);if(s!==void 0){let i=Object.assign(new V(this.runtime,void 0),s);this.runtime.
hosts.settle(i,ge(t));return}if(!this.isUnnamed())throw this.unknown(e);this.early.set(e,t)}livesOf(e){let t=[...this.named.
get(e)??[]],r=this.lives.get(this.placeOf(e));return r===void 0||t.includes(r)?t:[...t,r]}endedBy(e){let t=this.ended.get(
e)??this.ended.get(this.placeOf(e));return t!==void 0&&this.isKept(t)?t:void 0}placeOf(e){let t=this.runtime.write(e.slice(
0,160)),r=this.runtime.call(i=>i.find(0,0,0,t));if(r<0)return r;let{slot:o,generation:s}=W(r);return this.runtime.lookup.
taskId(o,s)===e?r:-2}isKept({slot:e,generation:t}){return this.runtime.call(r=>r.lastRun(e,t))>0}unknown(e){if(this.placeOf(
e)===-1){let t=this.runtime.refusal();if(t.code==="forgotten")return t}return new g("unknown_task",`no background sub-ag\
ent goes by ${w(e)}`,{id:e})}list(e){let t=De(e),r=this.lives.get(t);r!==void 0&&this.unlist(r)&&this.keepEnded(r),this.
lives.set(t,e)}isListed(e){return this.lives.get(De(e))===e}unlist(e){if(!this.isListed(e))return!1;this.lives.delete(De(
e));let{hostTaskId:t}=e;if(t!==void 0){let r=this.named.get(t);r?.delete(e),r?.size===0&&this.named.delete(t)}return!0}keepEnded({
slot:e,generation:t,run:r,hostTaskId:o}){let s={slot:e,generation:t,run:r};this.ended.set(De(s),s),o!==void 0&&this.ended.
set(o,s)}clear(){this.lives.clear(),this.named.clear(),this.early.clear(),this.ended.clear()}sweep(){if(!(this.lives.size+
this.ended.size<this.sweepAt)){for(let e of this.lives.values())this.runtime.call(t=>t.hasRun(e.slot,e.generation,e.run))||
(this.unlist(e),this.keepEnded(e));for(let[e,t]of this.ended)this.isKept(t)||this.ended.delete(e);this.sweepAt=Math.max(
go,(this.lives.size+this.ended.size)*2)}}end(e,t){if(!this.unlist(e))return;this.keepEnded(e),this.refuseEarly();let{check:r}=e,
o={...t,hostTaskId:t.hostTaskId??e.hostTaskId};r===void 0?this.runtime.hosts.settle(e,o):this.runtime.hosts.settleChecked(
e,o,r)}};function ii(n){try{return n?.taskId}catch{return}}a(ii,"hostId");var Tt=class{static{a(this,"HostCalls")}elsewhere;openHosts=0;runtime;scratch;alarm;constructor(e,t,r){this.runtime=e,this.
scratch=t,this.alarm=r,this.elsewhere=new Rt(e)}start(e){try{let{spawnSubAgent:t,spawnBackgroundSubAgent:r}=this.runtime.
functions;if(r!==void 0&&e.background){this.elsewhere.start(e,r);return}if(t===void 0)throw new Error("no spawnSubAgent \
was given to the manager");e.hostOpen=!0,this.openHosts+=1,this.alarm.hold(!0);let o=t(e.params(),e.handedRun());(ai(o)?
o:new Promise(i=>i(o))).then(i=>this.hostReturned(e,i),i=>this.hostThrew(e,i))}catch(t){this.hostThrew(e,t)}}settle(e,t){
if(e.settled||(this.runtime.runs.returned(e),this.hostIsOver(e),this.runtime.isClosed))return;e.returned=t;let r=K(this.
runtime);try{let{output:o,error:s,status:i,id:u,artifacts:d,value:c}=this.scratch.writeEnd(this.bounded(t));this.runtime.
core.settle(h(),e.slot,e.generation,e.run,t.how,o,s,i,u,d,c,t.tokens,t.cost,t.turns,t.durationMs)}catch(o){this.runtime.
poison(o)}finally{B(r)}for(let o of e.overWith??[])o();this.runtime.carryOut(),this.keepAwake()}settleManual(e,t,r){this.
runtime.check();let{output:o,error:s,artifacts:i}=this.runtime.call(()=>this.scratch.writeEnd(r));if(!this.runtime.call(
d=>d.settle(h(),e,t,0,r.how,o,s,4294967295,4294967295,i,4294967295,r.tokens,r.cost,r.turns,r.durationMs)))throw this.runtime.
refusal();this.runtime.runs.manualEnded(e,r),this.runtime.carryOut(),this.runtime.expectSound()}bounded(e){let{output:t}=e;
return t.length<=_?e:{...e,output:t.slice(0,Math.max(_,M(this.runtime,"maxResultBytes")+1))}}hostReturned(e,t){let r=ge(
t),{check:o}=e;o===void 0||this.runtime.isClosed?this.settle(e,r):this.settleChecked(e,r,o)}settleChecked(e,t,r){let o=ur(
t,r,M(this.runtime,"maxResultBytes"));o instanceof Promise?this.runtime.alone(o.then(s=>this.settle(e,s))):this.settle(e,
o)}hostThrew(e,t){Re(t);let r=x(t);this.settle(e,rt(r,t))}hostIsOver(e){e.settled=!0,this.release(e)}goOnWithout(e){e.hostOpen&&
(this.release(e),this.keepAwake())}release(e){e.hostOpen&&(e.hostOpen=!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>
0||this.runtime.isClosed)return;let e=this.runtime.unasked(t=>t.hasQueued())===!0;this.runtime.isClosed||(this.runtime.keepAlive.
hasQueued(e),this.alarm.hold(e||this.runtime.waits.areOpen))}};function ai(n){return n instanceof Promise&&n.constructor===
Promise&&n.then===Promise.prototype.then}a(ai,"isPlainPromise");var vt=class{static{a(this,"KeepAlive")}count=0;queued=!1;alarm;manager;constructor(e,t){this.alarm=e,this.manager=t}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var jt=class{static{a(this,"Pins")}runtime;open=new Map;places=new WeakMap;constructor(e){this.runtime=e}pinAll(e){let t=M(
this.runtime,"retain")<e.length;return e.map(({slot:r,generation:o})=>this.pin(r,o,t))}pin(e,t,r){let o=this.runtime.call(
u=>u.lastRun(e,t)),s={slot:e,generation:t,run:o,taskId:this.runtime.lookup.taskId(e,t)};if(!this.runtime.call(u=>u.isOpen(
e,t,o)))return s.ended=this.read(s),s;r&&(s.begun=this.read(s));let i=this.open.get(e);return i===void 0?this.open.set(e,
[s]):i.push(s),s}hold(e){return this.open.has(e)}ended(e,t,r,o){if(this.open.size===0)return;let s=this.open.get(e);if(s!==
void 0)for(let i of s)i.run===r&&i.generation===t&&(i.ended=this.asEnded(i,o))}retried(e,t,r){for(let o of this.open.get(
e)??[])o.run===r&&o.generation===t&&(o.run+=1)}asEnded(e,t){let r=this.read(e);if(r?.run===e.run)return r;let o=e.begun??
r;return o&&this.kept(e,{...o,...di(e,t)})}unpin(e){for(let t of e){let r=this.open.get(t.slot)?.filter(o=>o!==t);r!==void 0&&
(r.length===0?this.open.delete(t.slot):this.open.set(t.slot,r))}}told(e,t,r){let o=this.read(e);if(t===ro)return{told:t,
view:r||o?.run===e.run?o??e.ended:e.ended??o};let s=typeof t=="string"?t:null,i=o!==void 0&&(o.status==="running"||o.status===
"pending")&&(r||o.run===e.run);return o===void 0||i&&(s===null||o.question===s)?{told:t,view:o}:{told:t,view:this.kept(e,
{...o,...ui,run:e.run,question:s})}}read(e){let{slot:t,generation:r}=e,o=this.runtime.call(s=>s.get(t,r,h()));return o&&
this.kept(e,Ot(o))}kept(e,t){return this.places.set(t,e),t}placeOf(e){return this.places.get(e)}},ui={status:"running",stopReason:null,
output:"",error:null,endedAt:null,durationMs:null,partial:!1,truncated:!1,artifacts:[]};function di({run:n,begun:e},t){let{
status:r,stopReason:o,output:s,partial:i,truncated:u,hostStillRunning:d,durationMs:c,usage:f}=t,{error:l=null,hostStatus:m=null,
hostTaskId:p=null,artifacts:k,value:y=null}=t,S={status:r,stopReason:o,output:s,partial:i,truncated:u,hostStillRunning:d,
durationMs:c,usage:f,error:l,hostStatus:m,hostTaskId:p},O=Math.floor(h()),A=t.started?e?.startedAt??O-c:null;return{run:n,
...S,startedAt:A,endedAt:O,updatedAt:O,parked:null,question:null,turns:f.turns,artifacts:[...k],value:y}}a(di,"endOf");function bo(n,{slot:e,generation:t},r,o){let{status:s,stopReason:i,output:u,error:d,hostStatus:c,figures:f}=o,l=n.writeAll(
[u,d??void 0,c??void 0]),[m,p,k]=l;return n.call(y=>y.resultText(e,t,r,ee.indexOf(s),T.indexOf(i),f.turns??-1,f.costUsd??
-1,f.durationMs??-1,m,p,k))}a(bo,"endText");var ci=Object.freeze([]),fi=Object.freeze([]);function yo(n){if((n&7)===0)return ci;let e=[];return(n&1)!==0&&e.push("to\
kens"),(n&2)!==0&&e.push("costUsd"),(n&4)!==0&&e.push("turns"),e}a(yo,"dimensions");var ue=class n{static{a(this,"RunRes\
ult")}run;status;stopReason;output;partial;truncated;error;cause;hostStatus;hostTaskId;hostStillRunning;artifacts;value;usage;durationMs;started;raisedBy;#e;#t;constructor(e,t,r,o,s,i,u,d,c,f,l,m,p,k,y){
this.#e=e,this.#t=typeof e=="string"?void 0:e,this.run=typeof e=="string"?0:e.run,this.status=t,this.stopReason=r,this.output=
o,this.partial=l,this.truncated=m,this.error=s?.error,this.cause=s?.cause,this.hostStatus=s?.hostStatus,this.hostTaskId=
s?.hostTaskId??this.#t?.hostTaskId,this.hostStillRunning=p,this.artifacts=s?.artifacts??fi,this.value=s?.valueJson===void 0?
void 0:s.value,this.usage={tokens:i,costUsd:u/1e9,turns:d,unknown:yo(c),invalid:yo(c>>>8)},this.durationMs=f,this.started=
k,this.raisedBy=y}get taskId(){return typeof this.#e!="string"&&(this.#e=this.#e.taskId),this.#e}get success(){return this.
status==="completed"}get backgrounded(){return this.status==="running"||this.status==="pending"}get report(){let e=this.#r;
return Br(this,e.run===this.run?e.agent:void 0,e.runtime,e)}get text(){let e=this.#r;return e.format==="json"?ke(this.report):
bo(e.runtime,e,this.run,this.#n)}get#n(){let{status:e,stopReason:t,output:r,error:o,hostStatus:s}=this;return{status:e,stopReason:t,
output:r,error:o,hostStatus:s,figures:this.figures}}get figures(){return pt(this.usage,this.started,this.durationMs)}get#r(){
return this.#t}toJSON(){let{cause:e,...t}=this;return{taskId:this.taskId,success:this.success,...t}}static movedToBackground(e){
let{runtime:t,slot:r,generation:o}=e;if(!t.call(i=>i.isOpen(r,o,e.run)))return;let s=t.lookup.snapshot(r,o);return s.background&&
!s.cancelRequested?n.of({...s,output:bt(s)},e):void 0}static of(e,t){let r={error:e.error??void 0,hostStatus:e.hostStatus??
void 0,hostTaskId:e.hostTaskId??void 0,artifacts:e.artifacts,value:e.value,valueJson:e.value===null?void 0:""},{runtime:o,
slot:s,generation:i}=t,u=o.call(f=>f.lastEnd(s)),d=o.call(f=>f.raisedBy(s,i))??null,c=new n(e.taskId,ee[u%256],T[u>>>8],
e.output,r,e.usage.tokens,e.usage.costUsd*1e9,e.usage.turns,0,e.durationMs??0,e.partial,e.truncated,e.hostStillRunning,e.
startedAt!==null,d);return c.#t=t,Object.assign(c,{run:e.run,usage:e.usage})}};var li=["timeout","stopped"];function wo(n,e,t){let{asking:r}=n;n.asking=void 0,r!==void 0&&r.resolve(e===0?{answered:!0,
answer:t}:{answered:!1,reason:li[e-1]??"stopped"})}a(wo,"askDone");function Tn(n,e,t){let r=n.call(i=>i.question(e,t)),o=n.
lookup.taskId(e,t),s=`the sub-agent ${o} asks and waits for a message`;return new g("needs_input",r===void 0?s:`${s}: '${P(
r,Ke)}'`,{taskId:o,question:r??null})}a(Tn,"needsInput");var mi=1,jn=2,pi=4,ko=8,hi=16;function vn(n,e,t){return`${n} ${e} ${t}`}a(vn,"nameOf");var Pt=class{static{a(this,"Runs")}lives=[];endedOpen=new Map;manualEnds=new Map;runtime;constructor(e){
this.runtime=e}keep(e){this.lives[e.slot]===void 0&&this.runtime.keepAlive.begin(),this.lives[e.slot]=e}startRun(e,t,r,o){
if(this.runtime.isClosed)return;let s=this.find(e,t,r)??this.newLive(e,t,r);if(this.lives[e]!==s&&!this.runtime.call(i=>i.
isOpen(e,t,r))){this.runtime.hosts.settle(s,be());return}this.keep(s),s.knowsTools=o,s.text??=this.runtime.call(i=>i.message(
e)),this.runtime.contexts.run(e,t,()=>this.start(s))}newLive(e,t,r){let o=new V(this.runtime,void 0);return o.slot=e,o.generation=
t,o.run=r,o}start(e){let{gates:t,hosts:r}=this.runtime;t.sub.has("before_start")?t.start(e,()=>r.start(e)):r.start(e)}find(e,t,r){
let o=this.lives[e];return o?.run===r&&o.generation===t?o:void 0}findOpen(e,t,r){return this.find(e,t,r)??this.endedOpen.
get(vn(e,t,r))}runEnded(e,t,r,o,s,i,u,d,c,f,l,m,p,k){let{pins:y,scratch:S}=this.runtime,O=k===0?null:S.read(p,k),A=this.
find(e,t,r);if(A?.hostOpen!==!0&&this.runtime.hosts.keepAwake(),A===void 0){if(!y.hold(e))return;let Ue=this.manualEnds.
get(e);this.manualEnds.delete(e);let Mo=(i&ko)!==0?S.read(l,m):Ue?.output??"";y.ended(e,t,r,So("",o,s,i,Mo,Ue,u,d,c,f,O));
return}this.lives[e]=void 0,this.runtime.keepAlive.end(),(i&jn)!==0&&(this.endedOpen.set(vn(e,t,r),A),this.runtime.hosts.
goOnWithout(A)),A.unfollow?.(),A.agent?.stop(),!A.settled&&!A.hostOpen&&A.abort(T[s]??"never_reported");let q=(i&jn)===0?
A.returned??gi(A.before):void 0,Mt=(i&ko)!==0?S.read(l,m):q?.output??"";T[s]==="policy"&&(q={...q??be(),...this.madeByPolicy(
A)}),A.result=So(A,o,s,i,Mt,q,u,d,c,f,O),y.ended(e,t,r,A.result);for(let{resolve:Ue}of A.followers??[])Ue(A.result);A.named?.
resolve();let Le=A.turn;Le!==void 0&&(A.turn=void 0,Le.resolve({go:!1,reason:T[s]??"host_failed"}))}manualEnded(e,t){this.
runtime.pins.hold(e)&&this.manualEnds.set(e,t)}runRetried(e,t,r,o){let{pins:s,sessionData:i,hosts:u}=this.runtime;i.empty(
e,t),s.retried(e,t,r),u.keepAwake();let d=this.find(e,t,r);if(d===void 0)return;d.agent?.stop();let c=T[o]??"host_failed";
d.turn?.resolve({go:!1,reason:c}),d.turn=void 0,this.lives[e]=d.again(c)}madeByPolicy({slot:e,generation:t,agent:r}){if(this.
runtime.call(i=>i.status(e,t))<0){let i=r?.blockedBecause;return{error:i&&Qe(i,M(this.runtime,"maxResultBytes")),artifacts:void 0}}
let{error:o,artifacts:s}=this.runtime.lookup.snapshot(e,t);return{error:o??void 0,artifacts:s}}abortRun(e,t,r,o){let s=this.
findOpen(e,t,r);s!==void 0&&(s.agent?.stop(),this.runtime.contexts.run(e,t,()=>s.abort(T[o]??"cancelled")))}policiesDue(e,t,r,o){
let s=this.findOpen(e,t,r);if(s===void 0)return;let i=T[o];i==="timeout"||i==="idle_timeout"?this.runtime.contexts.run(e,
t,()=>this.runtime.gates.timedOut(s,i)):s.agent?.overdue()}askDone(e,t,r,o,s,i){let u=this.find(e,t,r);u!==void 0&&wo(u,
o,this.runtime.scratch.read(s,i))}turnReady(e,t,r){let o=this.find(e,t,r);if(o===void 0)return;let s=o.takeStart();if(s!==
void 0){this.runtime.contexts.run(e,t,s);return}let{turn:i}=o;if(i===void 0)return;let u=this.beginTurn(o,i.estimate);u!==
void 0&&(o.turn=void 0,i.resolve(u))}liveOf(e,t){let r=this.lives[e];if(r!==void 0&&r.generation===t)return r;let o=this.
runtime.call(i=>i.lastRun(e,t));if(o===0||!this.runtime.call(i=>i.isOpen(e,t,o)))return;let s=this.newLive(e,t,o);return this.
keep(s),s}takeTurn(e,t){let r=this.beginTurn(e,t),o=r===void 0?new Promise((s,i)=>{e.turn={estimate:t,resolve:s,reject:i}}):
Promise.resolve(r);return this.runtime.carryOut(),o}beginTurn({slot:e,generation:t,run:r},{tokens:o,cost:s}){let i=this.
runtime.call(m=>m.beginTurn(h(),e,t,r,o,s));if(i===0)return;if(i===-1)return{go:!1,reason:"actor_ended"};if(i<0)return{go:!1,
reason:T[-2-i]??"cancelled"};let{turn:u,injects:d,wrapUp:c}=mt(i),f=d?{inject:this.runtime.call(m=>m.takeInject())}:void 0;
if(c===void 0)return{go:!0,turn:u,...f};let l=this.runtime.call(m=>({tokens:m.heldTokens(e),costUsd:m.heldDollars(e)}));
return{go:!0,turn:u,wrapUp:!0,reason:c,...l,...f}}returned({slot:e,generation:t,run:r}){this.endedOpen.size>0&&this.endedOpen.
delete(vn(e,t,r))}batchOver(){this.endedOpen.clear()}close(e){for(let t of this.lives)if(t!==void 0){t.turn?.reject(e),t.
turn=void 0,t.asking?.reject(e),t.asking=void 0;for(let{reject:r}of t.followers??[])r(e);t.named?.resolve(),t.unfollow?.(),
t.agent?.stop(),t.abort(e.code==="disposed"&&this.runtime.journal===void 0?"cancelled":"host_lost")}this.lives.length=0,
this.manualEnds.clear()}};function gi(n){return n&&{...be(),error:n.error,cause:n.cause}}a(gi,"errorOf");function So(n,e,t,r,o,s,i,u,d,c,f){
return new ue(n,ee[e]??"failed",T[t]??"host_failed",o,s,i,u,d,r>>>8,c,(r&mi)!==0,(r&pi)!==0,(r&jn)!==0,(r&hi)===0,f)}a(So,
"resultOf");var Et=class{static{a(this,"SessionData")}kept=new Map;runtime;constructor(e){this.runtime=e}of(e,t){return this.keptOf(
e,t).values}empty(e,t){let r=this.kept.get(e);r?.generation===t&&r.values.clear()}check(e,t,r){this.keptOf(e,t).check=r}checkOf(e,t){
if(this.kept.size===0)return;let r=this.kept.get(e);return r?.generation===t?r.check:void 0}keptOf(e,t){let r=this.kept.
get(e);if(r?.generation===t)return r;if(this.runtime.call(s=>s.status(e,t))<0)throw new g("forgotten","this sub-agent ha\
s been forgotten");this.runtime.call(s=>s.tellForgotten());let o={generation:t,values:new Map};return this.kept.set(e,o),
o}taskForgotten(e,t){this.kept.size>0&&this.kept.get(e)?.generation===t&&this.kept.delete(e)}clear(){this.kept.clear()}};function Ao(n){let e=n.call(r=>r.claimed()),t=[];for(let r=0;r<e.length;r+=3){let[o,s,i]=e.subarray(r,r+3),u=n.call(d=>d.
deliveryId(o,s,i));t.push({deliveryId:u,taskId:n.lookup.taskId(o,s),run:i})}return t}a(Ao,"claimedEnds");var xo=-2,bi=-3,Oo=-4,yi="only the waiting was aborted: what was to be stopped is being stopped all the same",It=class{static{
a(this,"Waits")}open=[];crowded=new Map;count=0;untilClosed=new Set;runtime;constructor(e){this.runtime=e}get areOpen(){
return this.count>0||this.untilClosed.size>0}waitFor(e,t,r,o){this.runtime.check();let{slot:s,generation:i}=t,u=this.runtime.
runs.liveOf(s,i),d=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening,c=d?0:h(),f=K(this.runtime),
l;try{l=this.runtime.core.wait(c,e.slot,e.generation,e.run,s,i,r)}catch(p){throw this.runtime.poison(p)}finally{B(f)}if(l===
-1)throw this.runtime.refusal();if(l<0){let p=this.answered(l,t);return this.runtime.carryOut(),p}let m=this.waiting(l,u,
e,o);return d||this.runtime.carryOut(),m}answered(e,t){return e===Oo?this.runtime.answer(void 0):e===bi?this.runtime.answer(
Promise.reject(Tn(this.runtime,t.slot,t.generation))):this.runtime.answer(this.pastResult(t))}waiting(e,t,r,o){return new Promise(
(s,i)=>{this.keep({wait:e,live:t,actor:r,resolve:s,reject:i},o),this.runtime.hosts.keepAwake()})}pastResult({slot:e,generation:t,
latest:r}){let o=this.runtime.call(s=>s.lastRun(e,t));return r.result!==void 0&&(o===0||r.run===o)?r.result:ue.of(this.runtime.
lookup.snapshot(e,t),r)}waitMany(e,t,{all:r,idle:o,timeoutMs:s},i,u){let d=new Uint32Array(t.flatMap(m=>[m.slot,m.generation])),
c=(r?1:0)+(o?2:0),f=this.runtime.call(m=>m.waitMany(h(),e.slot,e.generation,e.run,d,c,s));if(f===-1)throw this.runtime.refusal();
if(f>=0)return this.opened(f,u,void 0,i);let l=i(f===Oo,this.runtime.call(m=>m.told())??[]);return this.runtime.carryOut(),
Promise.resolve(l)}cancel(e,t,r,o,s=Number.NaN,i){return this.settled(u=>u.cancel(h(),e.slot,e.generation,e.run,t,r,T.indexOf(
o),s),i)}settled(e,t){let r=this.runtime.call(e);if(r===-1)throw this.runtime.refusal();let o={acked:Ao(this.runtime)},s=this.
opened(r,t,yi);return r===xo?Promise.resolve(o):s.then(()=>o)}opened(e,t,r,o){let s=e===xo?Promise.resolve(void 0):new Promise(
(i,u)=>{this.keep({wait:e,live:void 0,read:o,resolve:i,reject:u},t,r),this.runtime.hosts.keepAwake()});return this.runtime.
carryOut(),s}drain(e){this.runtime.act(r=>r.startDrain(h(),e));let t=this.runtime.call(r=>r.drain(h(),e));return this.runtime.
keepAlive.begin(),new Promise((r,o)=>{this.untilClosed.add(o),this.runtime.hosts.keepAwake(),t.then(s=>{this.untilClosed.
delete(o)&&this.runtime.keepAlive.end(),this.runtime.hosts.keepAwake(),r(s)},s=>o(this.runtime.poison(s)))})}keep(e,t,r="\
the wait was aborted; that touches no sub-agent"){let{wait:o}=e,s=ae(o);this.open[s]===void 0?this.open[s]=e:this.crowded.
set(o,e),this.runtime.keepAlive.begin(),this.count+=1,t!==void 0&&this.follow(e,t,r)}take(e){let t=ae(e),r=this.open[t];
if(r?.wait===e)return this.open[t]=void 0,r;if(this.crowded.size===0)return;let o=this.crowded.get(e);return this.crowded.
delete(e),o}done(e,t,r){let o=this.take(e);if(o===void 0)return;this.runtime.keepAlive.end(),this.count-=1,this.runtime.
hosts.keepAwake();let{resolve:s,unfollow:i}=o,u=o.live?.latest;i?.();try{u===void 0?s(o.read===void 0?t:o.read(t,r??[])):
u.result===void 0&&!t?this.endWithout(o,u):s(t?void 0:u.result)}catch(d){o.reject(d)}}endWithout({actor:e,resolve:t,reject:r},o){
let{slot:s,generation:i}=o,{runtime:u}=this;if(u.call(c=>c.question(s,i))!==void 0){t(u.answer(Promise.reject(Tn(u,s,i))));
return}let d=ue.movedToBackground(o);d!==void 0?t(u.answer(d)):e!==void 0&&this.waitFor(e,o,Number.POSITIVE_INFINITY).then(
t,r)}rejectAll(e){for(let t of[...this.open,...this.crowded.values()])t!==void 0&&(t.unfollow?.(),t.reject(e));this.open.
length=0,this.crowded.clear(),this.count=0;for(let t of this.untilClosed)t(e);this.untilClosed.clear()}follow(e,t,r){let{
wait:o}=e,s=ae(o),i=a(()=>{this.open[s]!==e&&this.crowded.get(o)!==e||(delete e.actor,e.reject(new g("aborted",r,{},{cause:t.
reason})),this.runtime.unasked(u=>u.endWait(h(),s,o)),this.runtime.carryOut())},"fire");if(t.aborted){i();return}e.unfollow=
On(t,i)}};var Ct=class{static{a(this,"Wakes")}#e;#t=new Map;#n=new Set;#r=new Set;constructor(e){this.#e=e}register(e,t,r){r===void 0?
this.#t.delete(e):this.#t.set(e,{scope:t,onWake:Z(r)})}mark(e){this.#t.has(e)&&(this.#n.size===0&&queueMicrotask(()=>this.#o()),
this.#n.add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.begin()))}review(){for(let e of this.#r)this.#t.has(e)&&
this.#e.unasked(t=>t.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.keepAlive.end()}clear(){this.#t.clear(),this.#r.clear()}#o(){
let e=this.#n;this.#n=new Set;for(let t of e){let r=this.#t.get(t),o=this.#e.unasked(s=>s.pendingNotices(t));r===void 0||
o===void 0||o===0||(this.#e.tell(()=>r.onWake(r.scope,{pending:o})),this.#e.unasked(s=>s.woken(h(),t)),this.#e.carryOut())}
this.review()}};function Ro(n){return(typeof n=="string"?n.trim()===""?void 0:JSON.parse(n):n)??{}}a(Ro,"parsed");function To(n,e){let t={...e,call:a((u,d)=>n.answer(e.call(u,d)),"call")},r=xi({...t.schema},u=>t.check(u)),{name:o,label:s,
description:i}=t;return{name:o,label:s,description:i,parameters:r,inputSchema:r,execute(...u){return u.length>1&&wi(u[0])?
ki(t,u):Si(t,u)}}}a(To,"toolObject");function wi(n){return typeof n=="string"&&!/^\s*[{["]/.test(n)}a(wi,"isCallId");async function ki(n,e){
let[t,r,o,s]=e,i=typeof s!="function"?void 0:c=>{let f=c(),l={content:[{type:"text",text:f.text}],details:n.detailsOf(f)};
return s(l)},{text:u,details:d}=await n.call(r,{signal:vo(o),toolCallId:t,progress:i});return{content:[{type:"text",text:u}],
details:d}}a(ki,"calledByPi");function Si(n,e){let t=new Pn,r=(async()=>{let[o,s]=e,{signal:i,abortSignal:u,toolCallId:d,
onUpdate:c,writer:f,outputWriter:l}=R("the options of the call",()=>{let y=a(q=>re(Object(s),q),"given"),[S,O,A]=[y("sig\
nal"),y("abortSignal"),y("toolCallId")];return{signal:S,abortSignal:O,toolCallId:A,onUpdate:y("onUpdate"),writer:y("writ\
er"),outputWriter:y("outputWriter")}}),m=typeof c=="function"?c:Ai(f,l,d),p=a(y=>(t.push(y),m?.(y())),"progress"),k={signal:vo(
i??u),toolCallId:typeof d=="string"?d:void 0,progress:p};return(await n.call(o,k)).text})();return Object.defineProperty(
r,Symbol.asyncIterator,{value:a(()=>t.until(r),"value")})}a(Si,"called");function vo(n){return qe("`signal`",n??void 0)}
a(vo,"signalFrom");function Ai(n,e,t){if(typeof n=="function")return r=>n({type:"subagent-progress",toolCallId:t,...r});
if(typeof e=="function")return r=>{Promise.resolve(e({type:"data-subagent-progress",data:{toolCallId:t,...r}})).catch(()=>{})}}
a(Ai,"sinkOf");var Pn=class{static{a(this,"Updates")}newest=void 0;count=0;due=0;isRead=!1;timer=void 0;waiting=[];push(e){
this.newest=e,this.count+=1,this.isRead&&this.arm()}arm(){this.timer??=setTimeout(()=>{this.timer=void 0,this.due=this.count,
this.wake()},0)}wake(){for(let e of this.waiting.splice(0))e()}async*until(e){this.isRead=!0,this.count>this.due&&this.arm();
let t=!1,r=0,o=a(()=>{t=!0,clearTimeout(this.timer),this.wake()},"end");for(e.then(o,o);;)if(this.newest!==void 0&&this.
due>r)r=this.due,yield this.newest().text;else{if(t)break;await new Promise(s=>{this.waiting.push(s)})}yield await e}};function xi(n,e){
let t=a(()=>structuredClone(n),"plain");return Object.defineProperty(n,"~standard",{enumerable:!1,value:{version:1,vendor:"\
subagents",validate(r){let o=e(r);return"params"in o?{value:Ro(r)}:{issues:o.mistakes.map(s=>({message:s}))}},jsonSchema:{
input:t,output:t}}})}a(xi,"withStandard");function jo(n){return n===void 0?"Send it a message to answer.":`${n} answers it.`}a(jo,"howToAnswer");function Fe(n,e,t,r){if(t===void 0)return r.text;try{let o=t(r);if(typeof o=="string"&&o!=="")return o;n.report(b(`what \
\`texts.${e}\` returns`,"a text that is not empty",o))}catch(o){n.report(o)}return r.text}a(Fe,"said");function En(n,{taskId:e,hostTaskId:t}){if(t===null)return e;let r=n.write(e),o=n.call(u=>u.find(0,0,0,r));if(o<0)return e;
let{slot:s,generation:i}=W(o);return n.call(u=>u.toldId(s,i))}a(En,"idTold");var _t=class{static{a(this,"Answers")}runtime;options;others;constructor(e,t,r){this.runtime=e,this.options=t,this.others=
r}refused(e,t,r=Ri(t)){let o=`No sub-agent was started: ${e}`,{texts:s}=this,i=r===void 0?Fe(this.runtime,"refused",s?.refused,
{reason:e,text:o}):Fe(this.runtime,"limitReached",s?.limitReached,{...r,text:o}),u=this.detailsOfNone(t),{taskId:d,status:c}=u;
return{text:this.told(i,d||null,c,i),details:u}}reported(e){let t=this.detailsOfNone();return{text:this.isJson&&fn(e)===
void 0?ke({...ht(null,"refused",null),output:e}):e,details:t}}started(e,t){let{taskId:r,hostTaskId:o,slot:s,generation:i}=e,
{collect:u}=this.others,d=this.runtime.call(S=>S.toldId(s,i)),c=e.snapshot(),{label:f}=c,l=Eo(c),m=`${bt({label:f,taskId:d})}${u===
void 0?"":` ${u} gets its result.`}`,p=Fe(this.runtime,"started",this.texts?.started,{id:d,taskId:r,hostTaskId:o,label:f,
text:m}),k=this.told(p,r,l),y={taskId:r,background:!0,status:l,durationMs:null,turns:null,cost:null};return o!==void 0&&
(y.hostTaskId=o),{text:k,details:this.withModel(y,t)}}startedBefore(e){let{taskId:t,status:r,label:o,modelId:s}=e,i=`Sub\
agent [${P(o,ne)}] was started before (id: ${En(this.runtime,e)}); it is ${r}.`;return{text:this.told(i,t,r),details:this.
withModel(Po(e,!0,r),s??void 0)}}goesOn(e){let t=Eo(e),r=`The call was aborted; sub-agent ${En(this.runtime,e)}, which w\
as started before, goes on.`;return{text:this.told(r,e.taskId,t),details:this.withModel(Po(e,!1,t),e.modelId??void 0)}}asked(e,t,r){
let{slot:o,generation:s,taskId:i}=e,d=`${t===void 0?`Subagent [${P(e.brief().label,ne)}] (id: ${this.runtime.call(l=>l.toldId(
o,s))}) asked, and has been answered meanwhile.`:`${t}
${jo(this.others.answer)}`} It goes on in the background; I'll notify you when it completes.`,c=this.isJson?ke({...ht(i,
"running",null),output:d}):d,f={taskId:i,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:c,
details:this.withModel(f,r)}}ended(e,t,r){let{status:o,hostStatus:s}=t,{turns:i,costUsd:u,durationMs:d}=t.figures,{rest:c}=this.
others,l=c!==void 0&&!this.isJson&&this.runtime.write(t.output)>M(this.runtime,"inlineBytes")?`${t.text}
${c} shows what was left out.`:t.text,m={taskId:e.taskId,background:e.background,status:o,durationMs:d,turns:i,cost:u};t.
hostTaskId!==void 0&&(m.hostTaskId=t.hostTaskId),s!==void 0&&(m.hostStatus=s),t.artifacts.length>0&&(m.artifacts=t.artifacts);
let p=o==="completed"?"completed":"failed",k=this.texts?.[p];return{text:k===void 0?l:Fe(this.runtime,p,k,this.factsOf(e,
t,m,l)),details:this.withModel(m,r)}}forgotten(e,t){let{taskId:r,background:o}=e,s="forgotten",i=`Sub-agent ${r} was end\
ed before it had done anything, and has been forgotten.`,u={taskId:r,background:o,status:s,durationMs:null,turns:null,cost:null};
return{text:this.told(i,r,s,i),details:this.withModel(u,t)}}detailsOfNone(e){let t=e?.code==="idempotency_forgotten",r=t?
e.details.taskId:"",o=t?"forgotten":"refused";return this.withModel({taskId:r,background:!1,status:o,durationMs:null,turns:null,
cost:null})}get texts(){return this.isJson?void 0:this.options.texts}get isJson(){return this.options.format==="json"}told(e,t,r,o=null){
return this.isJson?ke(ht(t,r,o)):e}factsOf(e,t,{turns:r,cost:o,durationMs:s},i){let{taskId:u,slot:d,generation:c}=e,{hostTaskId:f,
status:l,stopReason:m,output:p}=t,k=this.runtime.call(A=>A.toldId(d,c)),y=Oi(e),S=i.indexOf(`
`),O=S<0?"":i.slice(S+1);return{id:k,taskId:u,hostTaskId:f,label:y,status:l,stopReason:m,turns:r,cost:o,durationMs:s,output:p,
fenced:O,text:i}}withModel(e,t){try{let r=t??this.runtime.functions.getModelId?.();return typeof r=="string"?{...e,modelId:r}:
e}catch{return e}}};function Po(n,e,t){return{...vi(n),taskId:n.taskId,background:e,status:t,durationMs:null,turns:null,
cost:null}}a(Po,"openDetails");function Eo({status:n}){return n==="pending"?"pending":"running"}a(Eo,"underWay");function te(n){
return Ht(n)&&n.code!=="disposed"&&n.code!=="internal"}a(te,"isRefusal");function Oi(n){try{return n.brief().label}catch(e){
if(te(e))return"";throw e}}a(Oi,"labelOf");function Ri(n){if(n===void 0||!Ti.has(n.code))return;let{active:e,limit:t}=n.
details;return{active:e,limit:t}}a(Ri,"fullBy");var Ti=new Set(["concurrency_limit","queue_full","children_limit","tasks\
_limit","abandoned_limit"]);function vi({hostTaskId:n}){return n===null?{}:{hostTaskId:n}}a(vi,"hostIdOf");function Io(n){let e=0,t="";return(r,o)=>{e=o.turn??e,t=o.message??t;let s={turn:e,message:t};r.runtime.tell(()=>{let{label:i}=r.
brief();return n(()=>ji({taskId:r.taskId,label:i,...s}))})}}a(Io,"watcher");function ji(n){let{label:e,turn:t,message:r}=n,
o=t===0?"has started":`is at turn ${t}`,s=`[${P(e,ne)}] ${o}${r===""?"":`: ${P(r,Ke)}`}`;return{...n,text:s}}a(ji,"progr\
essOf");var $t=class{static{a(this,"SpawnCall")}runtime;actor;options;answers;isAlone;constructor(e,t,r,o={},s=!1){this.isAlone=
s,this.runtime=e,this.actor=t,this.options=Object.assign(Object.create(null),r),this.answers=new _t(e,this.options,o)}async run(e,t){
this.runtime.check();let{onDetails:r}=this.options;if(r===void 0)return this.answer(e,t);let o=await this.runtime.answer(
this.answer(e,t));return this.runtime.tell(()=>r(o.details,t.toolCallId)),o}async answer(e,t){let{signal:r,toolCallId:o,
progress:s}=t;if("mistakes"in e)return this.answers.refused(`${e.mistakes.join("; ")}. Correct the arguments and call ag\
ain.`);let i=this.hostLimit();if(i!==void 0){let{instructions:S}=e.params;return this.runtime.refusals.tell("spawn",this.
actor,S,new g("spawn_denied",i.why)),this.answers.refused(i.why,void 0,i.full)}if(r?.aborted===!0)return this.answers.refused(
"the call was aborted before it began.");let{params:u,checked:d}=e,c,f,{backgroundTimeoutMs:l}=this.options,[m,p,k]=[this.
keyOf(o,u),this.originOf(),this.metadataOf(o,u)];try{let S=J("what `idempotencyKey` returns",m),O={...d,...S!==void 0&&{
idempotencyKey:S},...p!==void 0&&{origin:p},...k!==void 0&&{metadata:k}};f=Ce(O,this.runtime,!0),f.background&&l!==void 0&&
(f=Ce({...O,timeoutMs:l},this.runtime,!0)),f.signal=r,f.answers=this.answerers,this.options.format==="json"&&(ct(f).json=
!0),s!==void 0&&!f.background&&(f.watch=Io(s)),c=co(this.runtime,this.actor,f,u)}catch(S){if(te(S))return typeof S.details.
report=="string"?this.answers.reported(S.details.report):this.answers.refused(`${Ei(Je(S))}${Ii(S.code)}`,S);throw S}let y=f.
staged?.modelId??this.modelOf(c);try{return f.repeated===!0?await this.repeated(c,f.background,r):f.background?(await(c.
named&&_n(c.named.promise,M(this.runtime,"graceMs"))),this.runtime.check(),Pi(r)||this.isAlone&&c.result?.success===!1?await this.
outcome(c,y):this.movedOn(c,y)):await this.outcome(c,y)}catch(S){if(te(S)&&c.result!==void 0)return this.answers.ended(c,
c.result,y);if(te(S)&&S.code==="forgotten")return this.answers.forgotten(c,y);throw S}}async outcome(e,t){try{let r=await this.
runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY);return r.backgrounded?this.movedOn(e,t):this.answers.ended(
e,r,t)}catch(r){if(te(r)&&r.code==="needs_input")return this.asks(e,t);throw r}}keyOf(e,t){let{idempotencyKey:r}=this.options;
return r===void 0?void 0:r(e,t)}metadataOf(e,t){let{metadata:r}=this.options;return typeof r=="function"?r(e,t):r}originOf(){
let{origin:e}=this.options;return typeof e=="function"?e():e}async repeated(e,t,r){let o=this.runtime.lookup.snapshot(e.
slot,e.generation),s=o.modelId??void 0;if(t)return this.answers.startedBefore(o);try{let i=await this.runtime.waits.waitFor(
this.actor,e,Number.POSITIVE_INFINITY,r);return i.backgrounded?this.answers.started(e,s):this.answers.ended(e,i,s)}catch(i){
if(te(i)&&i.code==="needs_input")return this.asks(e,s);if(!(te(i)&&i.code==="aborted"))throw i;return this.answers.goesOn(
o)}}get answerers(){let{canAnswer:e}=this.options;return e===void 0?16:e?0:32}async asks(e,t){let{slot:r,generation:o}=e,
{actor:s}=this,i=this.runtime.call(d=>d.questionText(r,o));return this.runtime.act(d=>d.moveToBackground(h(),s.slot,s.generation,
s.run,r,o))?(this.letGoOfCall(e),this.answers.asked(e,i,t)):this.outcome(e,t)}movedOn(e,t){return this.letGoOfCall(e),this.
answers.started(e,t)}letGoOfCall(e){e.unfollow?.(),e.unfollow=void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:t}=this.
runtime.functions;if(e!==void 0)try{if(e()===!0)return;let r=t?.();return{why:`${r===void 0?"the limit of sub-agents is \
reached":`${r.active} of ${r.limit} sub-agents are running`}. Wait until one ends, or do the work yourself.`,full:{active:r?.
active,limit:r?.limit}}}catch(r){return{why:`the host could not say whether a sub-agent may start: ${P(x(r),Be)}.`}}}modelOf({
slot:e,generation:t}){return this.runtime.isClosed?void 0:this.runtime.call(r=>r.modelId(e,t))}};function Pi(n){return n?.
aborted===!0}a(Pi,"hasFired");function Ei(n){return/[.!?…]$/u.test(n)?n:`${n}.`}a(Ei,"sentence");function Ii(n){return[
"concurrency_limit","queue_full","children_limit"].includes(n)?" Wait until one ends, or do the work yourself.":["budget\
_exhausted","depth_limit","draining","abandoned_limit","tasks_limit"].includes(n)?" Do the work yourself.":""}a(Ii,"advi\
ceOn");function Co(n,e=[]){try{return Ci(typeof n=="string"?JSON.parse(n):n,e)}catch(t){return{mistakes:[`the arguments can't b\
e read: ${P(x(t),Be)}`]}}}a(Co,"checkArguments");function Ci(n,e){if(typeof n!="object"||n===null||Array.isArray(n))return{
mistakes:[`the arguments must be an object with \`instructions\`, got ${w(n)}`]};let t=[],r=a(p=>re(n,p),"given"),[o,s]=[
r("instructions"),r("systemPrompt")],[i,u,d]=[r("maxTurns"),r("maxCost"),r("background")],c=e.length>0?r("agent"):void 0,
f=_i(r("tools")),l=a((p,k,y)=>{t.push(`\`${p}\` must be ${k}, got ${w(y)}`)},"wrong");if((typeof o!="string"||o.trim()===
"")&&l("instructions","a text that says the whole task",o),!de(f)&&!(Array.isArray(f)&&f.every(p=>typeof p=="string"))&&
l("tools","a list of tool names",f),!de(s)&&typeof s!="string"&&l("systemPrompt","a text",s),!de(i)&&!(Number.isInteger(
i)&&i>=1)&&l("maxTurns","a whole number of at least 1",i),!de(u)&&!(typeof u=="number"&&u>0&&u<Number.POSITIVE_INFINITY)&&
l("maxCost","a number of US dollars above 0",u),!de(d)&&typeof d!="boolean"&&l("background","true or false",d),!de(c)&&!(typeof c==
"string"&&e.includes(c))&&l("agent",`one of ${e.join(", ")}`,c),t.length>0)return{mistakes:t};let m=Object.entries({instructions:o,
tools:f,systemPrompt:s,maxTurns:i,maxCost:u,background:d,agent:c}).filter(([,p])=>!de(p));return{params:n,checked:Object.
fromEntries(m)}}a(Ci,"check");function _i(n){return Array.isArray(n)?Yn("`tools`",n):n}a(_i,"listOf");function de(n){return n==
null}a(de,"absent");function _o(n,e){return $i(n,Me,{},e)}a(_o,"makeTool");function $i(n,e,t,r,o=!1){let{names:s,descriptions:i}=n.agents,u=Ni(
r.parameters,s),d=s.length===0?r.description:`${r.description}

What \`agent\` may name:
${i}`,c=a(f=>Co(f,s),"check");return Mi(new $t(n,e,t,{},o),{name:r.name,description:d,schema:u,check:c})}a($i,"assemble");
function Ni(n,e){if(e.length===0)return{...n};let t={type:"string",enum:e,description:"The kind of sub-agent to use. Lea\
ve it out for a general one."};return{...n,properties:{...n.properties,agent:t}}}a(Ni,"withAgents");function Mi(n,e,t){let{
name:r,description:o,schema:s,check:i}=e;return To(n.runtime,{name:r,label:"Sub-agent",description:o,schema:s,check:a(u=>i(
u),"check"),async call(u,d){let c=i(u);return await t?.(c,d)??n.run(c,d)},detailsOf:a(({taskId:u,turn:d})=>({taskId:u,background:!1,
status:"running",durationMs:null,turns:d,cost:null}),"detailsOf")})}a(Mi,"spawnTool");var Nt=class{static{a(this,"Runtime")}host;door;core;functions;agents=new ye(void 0);profiles=new we(void 0);gates;journal=void 0;seeded=!1;idKey=void 0;scratch;runs=new Pt(
this);hosts;waits=new It(this);lookup=new xt(this);listeners;refusals=new kt(this);sessionData=new Et(this);contexts=new st;pins=new jt(
this);wakes=new Ct(this);signals=new At;keepAlive;alarm;runMaker;closed;constructor(e,t,r){this.functions=t,this.runMaker=
r,this.door=new yt(this),this.alarm=new ce(Di(Oe(this.door))),this.keepAlive=new vt(this.alarm,this),this.host=eo(this,this.
door,this.alarm),this.core=new e.SubAgentCore(this.host),e.onFailure=o=>this.poison(o),this.scratch=new He(this.core,e.memory),
this.hosts=new Tt(this,this.scratch,this.alarm),this.listeners=new wt(this,this.scratch),this.gates=new Ae(this,{},{})}check(){
if(this.closed!==void 0)throw this.closed}get isClosed(){return this.closed!==void 0}get isDisposed(){return this.closed?.
code==="disposed"}call(e){this.check();let t=K(this);try{return e(this.core)}catch(r){throw this.poison(r)}finally{B(t)}}carryOut(){
if(this.closed!==void 0)return;if(this.journal?.isSync===!0){this.journal.carryOut();return}let e=K(this);try{this.core.
carryOut()}catch(t){this.poison(t)}finally{B(e)}}act(e){let t=this.call(e);return this.carryOut(),this.expectSound(),t}order(e){
if(!this.call(e))throw this.refusal();this.carryOut(),this.expectSound()}expectSound(){if(this.closed!==void 0&&!this.isDisposed)
throw this.closed}unasked(e){if(this.closed!==void 0)return;let t=K(this);try{return e(this.core)}catch(r){this.poison(r);
return}finally{B(t)}}alone(e){e.catch(t=>{t!==this.closed&&this.report(t)})}refusal(){let{code:e,message:t,told:r,details:o}=this.
call(s=>s.refusal());return this.carryOut(),Ge(new g(e,t,o),r)}ask(e){if(!this.call(e))throw this.refusal()}together(e){
if(this.journal?.isSync===!0)return this.journal.together(e);let t=this.call(r=>r.hold());try{return e()}finally{t&&this.
call(r=>r.goOn())}}answer(e){return this.journal===void 0?Promise.resolve(e):this.journal.answer(e)}onceKept(e){this.journal?.
isSync===!0?this.alone(this.journal.answer(void 0).then(e)):e()}write(e){try{return this.scratch.write(e)}catch(t){throw this.
poison(t)}}writeAll(e){try{return this.scratch.writeAll(e)}catch(t){throw this.poison(t)}}wakeAt(e){this.isClosed||(this.
alarm.set(e),this.hosts.keepAwake())}tick(){this.unasked(e=>e.tick(h())),this.carryOut(),this.wakes.review(),this.hosts.
keepAwake(),this.runs.batchOver()}makeRun(e){return this.runMaker(this,e)}consumerGate(e){return Rn(this,e)}makeTool(e){
return _o(this,e)}startsStopped(e){if(this.functions.onError===void 0)return;let t=`${e} abandoned host functions are st\
ill running, so nothing starts until one returns; \`maxAbandoned\` raises it`;this.report(new g("abandoned_limit",t,{limit:e,
option:"maxAbandoned"}))}report(e){Re(e);let{onError:t}=this.functions;t===void 0?bn(e):yn(()=>t(e),bn)}tell(e){yn(e,t=>this.
report(t))}dispose(){this.end(new g("disposed","the manager has been disposed"))}fail(e){this.end(e),this.report(e)}end(e){
if(this.closed===void 0){this.journal!==void 0&&this.unasked(t=>t.setAside()),this.close(e),kn(this);try{this.idKey=this.
core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){if(no()){queueMicrotask(()=>this.letGo());return}this.scratch.
letGo(),this.core=void 0}poison(e){if(this.closed===void 0){let t=new g("internal",`the manager's core failed: ${x(e)}`);
this.close(t),kn(this),this.core.__destroy_into_raw(),this.letGo()}return this.closed}close(e){this.closed=e,this.journal?.
close(e),this.alarm.stop(),this.keepAlive.clear(),this.runs.close(e),this.gates.close(),this.waits.rejectAll(e),this.listeners.
clear(),this.refusals.clear(),this.sessionData.clear(),this.contexts.clear(),this.hosts.elsewhere.clear(),this.wakes.clear(),
this.signals.clear()}};function Di(n){return()=>n.deref()?.runtime?.tick()}a(Di,"tickThrough");var $o=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],Fi=["agents","bus","mainLimits","modelId","policies","preset","profiles","retry","tools"];
function No(n,e,t,r){let{functions:o,bounds:s,settings:i,tools:u,agents:d,profiles:c,policies:f,mainLimits:l,bus:m}=R("t\
he options of a manager",()=>Li(e)),p=new Nt(n,o,t);p.agents=d,p.profiles=c,m!==void 0&&(p.functions.onWake=Xr(m,k=>{p.isClosed||
p.report(k)},k=>p.onceKept(k)));try{r?.begin(p),s.apply(p,i),p.gates=new Ae(p,f,l),p.contexts.matter&&p.call(y=>y.tellForgotten());
let{blockedTools:k}=p.gates.sub;k.length>0&&p.order(y=>y.blockTools(h(),[...k])),u!==void 0&&p.order(y=>y.setTools(h(),y.
defaultSession(),u))}catch(k){throw p.dispose(),k}return p}a(No,"open");function Li(n){let e=v("the options of a manager",
n),t={},r=new lt,o={},s,i=new ye(e.agents),u=new we(e.profiles),d={},c,f={};for(let[l,m]of Object.entries(e))if(!(m===void 0||
l==="agents"||l==="profiles")){if($o.includes(l)){if(typeof m!="function")throw b(`\`${l}\``,"a function",m);t[l]=l==="o\
nWake"?Z(m):m}else if(!r.take(l,m))if(l==="retry")o.retry=ut(l,m);else if(l==="bus"){if(e.onWake!==void 0)throw z("`bus`\
 and `onWake`",l);c=Qr(m)}else if(l==="modelId"){let p=J("`modelId`",m);if(e.getModelId!==void 0)throw z("`modelId` and \
`getModelId`",l);t.getModelId=()=>p}else if(l==="tools")s=X("`tools`",m);else if(l==="policies")d=Ui(m);else if(l==="mai\
nLimits")f=Ki("mainLimits",m);else throw Te("a manager",l,[...$o,...Fr,...Fi])}return i.checkProfiles(u),{functions:t,bounds:r,
settings:o,tools:s,agents:i,profiles:u,policies:d,mainLimits:f,bus:c}}a(Li,"read");function Ui(n){if(Array.isArray(n))throw b(
"`policies`","an object with subAgents or main",n);let{subAgents:e,main:t,...r}=v("`policies`",n);return G("policies",r,
["subAgents","main"]),{...e!==void 0&&{subAgents:e},...t!==void 0&&{main:t}}}a(Ui,"policySets");function Ki(n,e){let{maxTurns:t,
maxContextTokens:r,timeoutMs:o,...s}=v(`\`${n}\``,e);G(n,s,["maxTurns","maxContextTokens","timeoutMs"]);let i={},u=$(`\`${n}\
.maxTurns\``,t),d=$(`\`${n}.maxContextTokens\``,r),c=Xe(`\`${n}.timeoutMs\``,o);return u!==void 0&&(i.maxTurns=u),d!==void 0&&
(i.maxContextTokens=d),c!==void 0&&(i.timeoutMs=c),i}a(Ki,"mainLimitsOf");function rp(n,e){return No(n,e,(t,r)=>new ot(t,r))}a(rp,"open");export{yt as Door,ro as ENDED,hc as MOVED,pc as PENDING,ec as abortRun,uc as askDone,eo as attach,lc as consumerGate,K as enter,
fc as facts,no as isInside,B as leave,mc as makeTool,rp as open,sc as policiesDue,kn as release,cc as runEnded,Zd as runRetried,
Qd as startRun,ic as startsStopped,rc as taskClosed,nc as taskForgotten,tc as turnReady,dc as waitDone,ac as wakeAt,oc as wakeSession};
